"""The order of imports, and that heavy libraries load only when used."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "synth"

LAYERS = [
    {"errors"},
    {"records", "progress", "table", "installed", "collecting"},
    {"source_digest"},
    {"jsonl", "outline", "text", "store", "graph", "prompts", "plugins"},
    {
        "llm",
        "embeddings",
        "documents",
        "grammar",
        "retrieval",
        "derivation",
        "dataset",
        "responses",
        "foreign",
        "intervals",
        "prediction_powered",
        "sections",
    },
    {"writer"},
    {"transforms", "synthesizers", "evolutions", "filters", "metrics", "exporters"},
    {
        "personas",
        "likeness",
        "search",
        "labels",
        "difficulty",
        "balance",
        "controls",
        "alternatives",
        "manner",
        "planning",
        "rows",
        "pipeline",
        "verification",
        "locating",
        "adoption",
        "manifest",
        "following",
        "scoring",
        "validity",
        "thresholds",
        "runs",
        "evaluation",
        "gate",
        "panel",
        "failures",
        "judge_statistics",
        "rag",
        "judge_record",
        "annotation",
        "report",
    },
    {"proposals"},
    {"settings", "yields"},
    {"endpoints"},
    {"config"},
    {"opening", "judges", "proposing"},
    {
        "generating",
        "verifying",
        "rejudging",
        "evaluating",
        "exporting",
        "adopting",
        "annotating",
        "judge_checking",
        "running",
        "sweeping",
    },
    {"estimating"},
    {"set_scoring", "comparing", "reporting", "update_run"},
    {"updating"},
    {"api"},
    {"commands"},
    {"cli"},
    {"__main__"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
KINDS = {"transforms", "synthesizers", "evolutions", "filters", "metrics", "exporters"}
HEAVY = (
    "torch",
    "spacy",
    "langchain",
    "openai",
    "sentence_transformers",
    "numpy",
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
)
FROM_WITHIN_ONE_LEVEL = {
    ("jsonl", "text"),
    ("graph", "text"),
    ("prompts", "text"),
    ("embeddings", "llm"),
    ("annotation", "manifest"),
    ("gate", "evaluation"),
    ("evaluation", "panel"),
    ("judge_record", "panel"),
    ("sweeping", "running"),
    ("prediction_powered", "dataset"),
    ("prediction_powered", "intervals"),
    ("retrieval", "embeddings"),
    ("scoring", "validity"),
    ("report", "evaluation"),
    ("report", "gate"),
    ("report", "scoring"),
    ("manifest", "rows"),
    ("pipeline", "alternatives"),
    ("verification", "alternatives"),
    ("adoption", "alternatives"),
    ("adoption", "labels"),
    ("adoption", "locating"),
    ("foreign", "documents"),
    ("balance", "difficulty"),
    ("pipeline", "balance"),
    ("pipeline", "difficulty"),
    ("planning", "balance"),
    ("pipeline", "search"),
    ("pipeline", "labels"),
    ("pipeline", "manner"),
    ("manner", "labels"),
    ("manner", "likeness"),
    ("manner", "personas"),
    ("following", "alternatives"),
    ("following", "verification"),
    ("planning", "labels"),
    ("planning", "pipeline"),
    ("planning", "rows"),
    ("pipeline", "rows"),
    ("rows", "balance"),
    ("rows", "controls"),
    ("rows", "manner"),
}


def modules():
    return sorted(PACKAGE.rglob("*.py"))


def unit(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0].removesuffix(".py")


def imports(path: Path):
    """Names of synth modules that a file imports, wherever in it the import stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "synth":
            names = [node.module] if node.module != "synth" else [f"synth.{alias.name}" for alias in node.names]
            yield from names
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "synth")


@pytest.mark.parametrize("path", modules(), ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_a_module_imports_only_from_its_left(path):
    mine = unit(path)
    if mine == "__init__":
        return
    assert mine in LEVEL, f"{mine} has no place in the import order"
    for name in imports(path):
        theirs = name.split(".")[1]
        if theirs == mine:
            continue
        allowed = LEVEL[theirs] < LEVEL[mine] or (mine, theirs) in FROM_WITHIN_ONE_LEVEL
        assert allowed, f"{path.relative_to(ROOT)} imports {name}, which is not on its left"


def test_there_is_no_cycle_even_with_imports_inside_functions():
    edges = {}
    for path in modules():
        name = ".".join(("synth", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        edges[name] = {target for target in imports(path) if target != name}
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
    assert [p.relative_to(PACKAGE).as_posix() for p in importers] == ["graph.py"]


@pytest.mark.parametrize("module", ["synth.cli", "synth.jsonl", "synth.records"])
def test_heavy_libraries_are_not_loaded_by(module):
    code = f"import sys, {module}; print([n for n in {HEAVY!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_help_loads_nothing_heavy():
    code = (
        "import sys\nfrom synth.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        f"print([n for n in {HEAVY!r} if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip().splitlines()[-1] == "[]"


def test_no_file_has_outgrown_a_comfortable_size():
    sizes = {p.relative_to(ROOT).as_posix(): len(p.read_text(encoding="utf-8").splitlines()) for p in modules()}
    assert {name: size for name, size in sizes.items() if size > 450} == {}
