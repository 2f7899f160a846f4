"""Names in docstrings: what stands in backquotes as a name is one of the package, where the docstring stands."""

import ast
import builtins
import keyword
import re
from collections import defaultdict
from pathlib import Path

import synth

PACKAGE = Path(synth.__file__).parent
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
NAME = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*(?:\(\))?")
QUOTED = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
ELSEWHERE = {
    *("re", "setrlimit", "add_parser", "ppi_mean_ci", "computation.py", "ZipSecureFile", "true", "false"),
    *("rg.Dataset.from_disk", "records.from_json", "create_dataset", "create_dataset_item", "LabelledRagDataset"),
    *("EvaluationDataset.add_goldens_from_json_file", "EvaluationDataset.to_jsonl", "SingleTurnSample"),
    *("EmbeddingQAFinetuneDataset", "re.ASCII", "en_core_web_trf"),
}
"""Names of Python, of other software and of files of data."""

EXAMPLES = {
    *("etcd.image.tag", "dynamicActiveTimeout", "disable_active_mode", "awsRegion", "rootKey", "LOG_LEVEL", "info"),
    *("nacos.core.auth.enabled", "realm", "hdfs_site_path", "hdfs.site.path", "enable_team_id_prefix", "port"),
    *("options.position.x", "limit", "title_tail", "asks", "points", "leans", "weak"),
}
"""Names that documents or tables of data have."""


class Names:
    """The names of the package: of each module, of each class, and of all together."""

    def __init__(self, root):
        self.trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(root.rglob("*.py"))}
        self.defined, self.strings = set(), {}
        self.members, self.bases = defaultdict(set), defaultdict(set)
        for path, tree in self.trees.items():
            self.defined |= {*path.relative_to(root.parent).with_suffix("").parts, *assigned(tree)}
            documented = {id(node.value) for node, *_ in docstrings(tree)}
            self.strings[path] = strings(tree, documented)
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    self.members[node.name] |= members(node)
                    self.bases[node.name] |= {
                        ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases
                    }
        self.every_member = set().union(*self.members.values())
        self.every_string = set().union(*self.strings.values())

    def of_class(self, name, seen=()):
        inherited = (self.of_class(base, (*seen, name)) for base in self.bases[name] if base not in seen)
        return self.members[name].union(*inherited)

    def unknown(self):
        """The names in backquotes that are none where they stand, with the place."""
        for path, tree in self.trees.items():
            imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
            around = self.defined | self.strings[path] | {*dir(builtins), *keyword.kwlist}
            around |= {alias.asname or alias.name.partition(".")[0] for node in imports for alias in node.names}
            for node, owner, classes in docstrings(tree):
                scope = around.union(*(self.of_class(name) for name in classes))
                if isinstance(owner, FUNCTIONS):
                    scope = scope.union(used(owner))
                if not is_record(owner):
                    scope = scope | self.every_member | self.every_string
                for name in QUOTED.findall(node.value.value):
                    if NAME.fullmatch(name) and name not in ELSEWHERE | EXAMPLES and not self.is_known(name, scope):
                        yield f"{path.name}:{node.lineno} `{name}`"

    def is_known(self, name, scope):
        first, *others = name.removesuffix("()").split(".")
        return (first in scope or (bool(others) and first in self.every_member)) and all(
            other in self.every_member or other in scope for other in others
        )


def docstrings(tree):
    """The docstrings of a module, each with what it documents and the names of the classes around it."""
    under_way = [(tree, ())]
    while under_way:
        owner, classes = under_way.pop()
        for node in owner.body:
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield node, owner, classes
            elif isinstance(node, ast.ClassDef):
                under_way.append((node, (*classes, node.name)))
            elif isinstance(node, FUNCTIONS):
                under_way.append((node, classes))


def is_record(node):
    """Whether a node is a dataclass, whose docstring explains its own fields."""
    return isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(mark) for mark in node.decorator_list)


def assigned(node):
    """The names that the body of a module or class defines."""
    for child in node.body:
        if isinstance(child, (*FUNCTIONS, ast.ClassDef)):
            yield child.name
        elif isinstance(child, (ast.Assign, ast.AnnAssign)):
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def members(node):
    """The fields, methods and attributes of a class, and the parameters that make it."""
    of_self = (n for n in ast.walk(node) if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name))
    made = (n for n in node.body if isinstance(n, FUNCTIONS) and n.name in ("__init__", "__new__"))
    parameters = (part.arg for function in made for part in ast.walk(function.args) if isinstance(part, ast.arg))
    return {*assigned(node), *parameters, *(n.attr for n in of_self if n.value.id in ("self", "cls"))}


def used(function):
    """The parameters of a function and the names in it."""
    for node in ast.walk(function):
        for attribute in ("arg", "attr", "id", "name"):
            name = getattr(node, attribute, None)
            if isinstance(name, str):
                yield name


def strings(tree, documented):
    """The texts of a module, and the parts of those with dots."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return {part for node in nodes if id(node) not in documented for part in (node.value, *node.value.split("."))}


def test_names_in_backquotes_exist():
    assert list(Names(PACKAGE).unknown()) == []


def test_a_name_that_is_gone_is_found(tmp_path):
    (tmp_path / "shapes.py").write_text(
        '"""Shapes (see `gone.folded`), as `Square` and `re`."""\n'
        "from dataclasses import dataclass\n\n"
        "@dataclass\nclass Square:\n"
        '    """A square with `side`, not `width`."""\n    side: int\n\n'
        "def area(shape):\n"
        '    """The area of `shape.side`, as `Square.side` says, not `size.side`."""\n'
        "    width = 1\n",
        encoding="utf-8",
    )
    found = set(Names(tmp_path).unknown())
    assert found == {"shapes.py:1 `gone.folded`", "shapes.py:6 `width`", "shapes.py:10 `size.side`"}
