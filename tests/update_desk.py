"""Documents in three scripts with a set made of them, and a copy of both to work on."""

import json
import shutil

from synth.cli.main import main

NAMES = "Alder Cedar Elm Oak Pine".split()
SIMPLIFIED = "# {0}\n\n## {0}大桥是哪一年建成的？\n\n{0}大桥建于{1}年，位于{0}河上。\n\n## {0}大桥有多长？\n\n{0}桥长{2}米。\n\n## {0}大桥有几条车道？\n\n{0}大桥有{3}条车道，两边是人行道。\n"
TRADITIONAL = "# {0}\n\n## {0}大橋是哪一年建成的？\n\n{0}大橋建於{1}年，位於{0}河上。\n\n## {0}大橋有多長？\n\n{0}橋長{2}米。\n\n## {0}大橋有幾條車道？\n\n{0}大橋有{3}條車道，兩邊是人行道。\n"
CHINESE = dict.fromkeys(("东山", "西岭", "南湖"), SIMPLIFIED) | dict.fromkeys(("東灣", "龍門", "鳳溪"), TRADITIONAL)
ROWS = 20


def write_corpus(folder):
    """Documents in English, simplified and traditional Chinese, with three statements that can be asked about."""
    folder.mkdir(parents=True)
    for k, name in enumerate(NAMES):
        text = f"# {name} line\n\n## When did {name} station open?\n\n{name} station opened in {1900 + k}.\n\n"
        text += f"## How old is the {name} school?\n\nThe {name} school was founded in {1920 + k}.\n\n"
        text += f"## How long is the {name} bridge?\n\nThe {name} bridge is {30 + k} metres long.\n\n"
        text += f"## How many platforms does {name} station have?\n\nIt has {12 + k} platforms.\n"
        (folder / f"{name.lower()}.md").write_text(text, encoding="utf-8")
    for k, (name, said) in enumerate(CHINESE.items()):
        (folder / f"{name}.md").write_text(said.format(name, 1950 + k, 300 + k, 14 + k), encoding="utf-8")


def make_home(home):
    """Fill a folder with the documents, the set made of them, and the workspace."""
    write_corpus(home / "docs")
    (home / "synth.toml").write_text(
        f"n = {ROWS}\nworkspace = '{home / 'ws'}'\n[filters]\nduplicate = {{ paraphrase = 0 }}\n", encoding="utf-8"
    )
    command = ["generate", str(home / "docs"), "-o", str(home / "testset.jsonl"), "--config", str(home / "synth.toml")]
    assert main([*command, "--quiet"]) == 0
    return home


class Desk:
    """A copy of it all to work on."""

    def __init__(self, made, home, capsys=None):
        self.home, self.capsys, self.workspace = home, capsys, made / "ws"
        shutil.copytree(made / "docs", home / "docs")
        for name in ("testset.jsonl", "manifest.json", "rejected.jsonl"):
            shutil.copy(made / name, home / name)

    @property
    def docs(self):
        return self.home / "docs"

    def rows(self, name="testset.jsonl"):
        lines = (self.home / name).read_text(encoding="utf-8").splitlines()
        return {json.loads(line)["id"]: line for line in lines}

    def run(self, *arguments):
        code = main([str(a) for a in arguments])
        captured = self.capsys.readouterr() if self.capsys else None
        return code, captured.out if captured else "", captured.err if captured else ""

    def update(self, *options, output="testset.jsonl", source="testset.jsonl"):
        return self.run(
            "update", self.home / source, "--corpus", self.docs, "-o", self.home / output, "--workspace",
            self.workspace, "--quiet", *options,
        )  # fmt: skip

    def holds(self, name="testset.jsonl"):
        code, _, _ = self.run(
            "verify", self.home / name, "--corpus", self.docs, "--workspace", self.workspace, "--quiet"
        )
        return code == 0

    def edit(self, name, old, new):
        path = self.docs / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")

    def manifest(self):
        return json.loads((self.home / "manifest.json").read_text(encoding="utf-8"))


def documents_of(line):
    return {piece["doc_id"] for piece in json.loads(line)["evidence"]}


def named_by(line):
    """The documents of all passages that a row names."""
    metadata = json.loads(line)["metadata"]
    places = [*metadata.get("alternatives", ()), *metadata.get("hard_negatives", ())]
    return documents_of(line) | {place["doc_id"] for place in places}


def apart(line):
    """A row but for what stands in other documents: with so few, every passage is a hard negative of some row."""
    row = json.loads(line)
    for name in ("hard_negatives", "alternatives", "review"):
        row["metadata"].pop(name, None)
    return json.dumps(row, ensure_ascii=False)
