"""The order of imports, and that heavy libraries load only when used."""

import ast
import subprocess
import sys
from inspect import isfunction, unwrap
from pathlib import Path

import pytest

import synth

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "synth"

ROOMS = (
    "core",
    "text",
    "grammar",
    "models",
    "retrieval",
    "corpus",
    "generation",
    "testset",
    "evaluation",
    "annotation",
    "workflows",
    "cli",
)
"""The rooms of the package, each importing only from itself and from those before it."""

PARTS = (
    "synth.corpus.transforms",
    "synth.generation.synthesizers",
    "synth.generation.filters",
    "synth.testset.exporters",
    "synth.evaluation.metrics",
)
"""Folders of parts that are found by name."""

HEAVY = (
    "torch",
    "spacy",
    "langchain",
    "openai",
    "pydantic_core",
    "sentence_transformers",
    "numpy",
    "scipy",
    "networkx",
    "datasketch",
    "onnxruntime",
    "voyager",
    "sacrebleu",
    "rapidfuzz",
    "sqlglot",
    "pyarrow",
    "genai_prices",
    "starlette",
    "uvicorn",
    "openpyxl",
    "jinja2",
)


def modules():
    return sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def dotted(path: Path) -> str:
    return ".".join(("synth", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


def imports(path: Path):
    """Names of synth modules that a file imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "synth":
            names = [node.module] if node.module != "synth" else [f"synth.{alias.name}" for alias in node.names]
            yield from names
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "synth")


def test_there_are_twelve_rooms():
    entries = {room(path) for path in modules()} - {"__init__", "__main__"}
    assert entries == set(ROOMS)


@pytest.mark.parametrize("path", modules(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_a_module_imports_only_from_its_room_and_those_before_it(path):
    if room(path) not in ROOMS:
        return
    allowed = ROOMS[: ROOMS.index(room(path)) + 1]
    for name in imports(path):
        assert name.split(".")[1] in allowed, f"{path.relative_to(ROOT)} imports {name}, which comes after it"


@pytest.mark.parametrize("kind", PARTS)
def test_a_part_of_one_kind_imports_none_of_another(kind):
    others = tuple(f"{other}." for other in PARTS if other != kind)
    for path in modules():
        if dotted(path).startswith(kind):
            for name in imports(path):
                base = name.startswith(others) and name.split(".")[3] == "base"
                assert base or not name.startswith(others), f"{path.relative_to(ROOT)} imports {name}"


def test_there_is_no_cycle_even_with_imports_inside_functions():
    edges = {}
    for path in modules():
        edges[dotted(path)] = {target for target in imports(path) if target != dotted(path)}
    done, under_way = set(), []

    def visit(name):
        assert name not in under_way, f"import cycle: {' -> '.join([*under_way[under_way.index(name) :], name])}"
        if name in done or name not in edges:
            return
        under_way.append(name)
        for target in sorted(edges[name]):
            visit(target)
        under_way.pop()
        done.add(name)

    for name in sorted(edges):
        visit(name)


MOST_PARAMETERS = 6
"""Most parameters of a function, which are easily confused when there are more of them."""


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[list[str], list[str]]:
    """The names of positional and of keyword-only parameters, without `self` and `cls`."""
    positional = [p.arg for p in (*function.args.posonlyargs, *function.args.args) if p.arg not in ("self", "cls")]
    return positional, [p.arg for p in function.args.kwonlyargs]


def test_no_function_has_more_parameters_than_one_can_keep_apart():
    """The keywords of a verb of the Python API are its options, and a constructor may have fields by keyword."""
    verbs = {verb.__code__ for name in dir(synth) if isfunction(verb := unwrap(getattr(synth, name)))}
    places = {(Path(code.co_filename), code.co_name) for code in verbs}
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (path, node.name) in places:
                continue
            positional, named = parameters(node)
            count = len(positional) + (0 if node.name == "__init__" else len(named))
            assert count <= MOST_PARAMETERS, f"{path.relative_to(ROOT)}:{node.lineno} {node.name} has {count}"


def test_only_the_graph_module_imports_networkx():
    importers = [
        p
        for p in modules()
        if any(
            "networkx" in line
            for line in p.read_text(encoding="utf-8").splitlines()
            if line.lstrip().startswith(("import ", "from "))
        )
    ]
    assert [p.relative_to(PACKAGE).as_posix() for p in importers] == ["corpus/graph.py"]


@pytest.mark.parametrize("module", ["synth.cli.main", "synth.core.jsonl", "synth.core.records"])
def test_heavy_libraries_are_not_loaded_by(module):
    code = f"import sys, {module}; print([n for n in {HEAVY!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_the_package_has_every_verb_and_loads_it_when_asked():
    from synth.workflows import api

    code = "import sys, synth; print('synth.workflows.api' in sys.modules); from synth import generate, update, verify"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "False"
    assert all(getattr(synth, name) is getattr(api, name) for name in api.__all__)
    assert set(dir(synth)) == set(api.__all__)
    assert not hasattr(synth, "nothing")


def test_help_loads_nothing_heavy():
    code = (
        "import sys\nfrom synth.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        f"print([n for n in {HEAVY!r} if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip().splitlines()[-1] == "[]"
