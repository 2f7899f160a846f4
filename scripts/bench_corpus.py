"""A folder of documents for benchmarks and tests: made-up mills, lighthouses and bridges, in three scripts.

python scripts/bench_corpus.py FOLDER -n 100
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_STARTS = "Al Ber Cor Dun El Far Gar Hol Is Jar Kel Lor Mar Nor Or Pel Quen Ros Sel Tor Ul Vel Wes Yar".split()
_ENDS = "by dale den ford gate ham holm ley mere mont ness ridge stead ton wick worth".split()
_KINDS = (("mill", "水磨坊", "水磨坊"), ("lighthouse", "灯塔", "燈塔"), ("bridge", "石桥", "石橋"))
_PLACES = (
    ("the upper river", "上游", "上游"),
    ("the eastern shore", "东岸", "東岸"),
    ("the old harbour", "旧港", "舊港"),
)
_HAN = "安柏程东峰古河景兰明宁平青荣石松桐文溪雪云竹"
_TRADITIONAL = str.maketrans("东兰宁荣云", "東蘭寧榮雲")


@dataclass(frozen=True, slots=True)
class Thing:
    """What a document is about: a mill, a lighthouse or a bridge, and its figures. `column` says in which script."""

    name: str
    column: int
    kind: int
    place: int
    built: int
    closed: int
    height: int
    keepers: int
    fee: int

    @property
    def full(self) -> str:
        kind = _KINDS[self.kind][self.column]
        return f"{self.name}{kind}" if self.column else f"{self.name} {kind}"

    @property
    def at(self) -> str:
        return _PLACES[self.place][self.column]


def write(folder: Path, count: int, seed: int = 0) -> Path:
    """Write `count` documents into `folder`: every fourth in simplified, every eighth in traditional Chinese.

    Each tells at its end of the one before it in its script, so that questions can lead from one to the other.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = [start + end for start in _STARTS for end in _ENDS]
    random.Random(seed).shuffle(names)
    things = [_thing(number, names, seed) for number in range(count)]
    before: dict[int, Thing] = {thing.column: thing for thing in things}
    for number, thing in enumerate(things):
        text = (_english, _simplified, _traditional)[thing.column](thing, before[thing.column])
        (folder / f"{number:04}.md").write_text(text, encoding="utf-8")
        before[thing.column] = thing
    return folder


def _thing(number: int, names: Sequence[str], seed: int) -> Thing:
    draw = random.Random(f"{seed}:{number}")
    column = 2 if number % 8 == 7 else 1 if number % 4 == 2 else 0
    han = _HAN[number % len(_HAN)] + _HAN[(number // len(_HAN) + 7 * number) % len(_HAN)] + "山"
    return Thing(
        name=(names[number % len(names)], han, han.translate(_TRADITIONAL))[column],
        column=column,
        kind=draw.randrange(len(_KINDS)),
        place=draw.randrange(len(_PLACES)),
        built=draw.randrange(1650, 1850),
        closed=draw.randrange(1860, 1990),
        height=draw.randrange(9, 60),
        keepers=draw.randrange(2, 12),
        fee=draw.randrange(3, 40),
    )


def _english(thing: Thing, other: Thing) -> str:
    name = f"The {thing.full}"
    the = f"the {thing.full}"
    return (
        f"# {name}\n\n"
        f"{name} at {thing.at} was built for the county board in {thing.built}. "
        f"The tower of {the} is {thing.height} metres high. "
        f"{name} at {thing.at} was closed to the public in {thing.closed}.\n\n"
        f"If the river floods, the keeper of {the} rings a bell every {thing.keepers} minutes. "
        f"Visitors of {the} pay {thing.fee} crowns for a day. "
        f"{name} had {thing.keepers} keepers when it closed. "
        f"The masons of {the} cut the stone of the {other.full}.\n"
    )


def _simplified(thing: Thing, other: Thing) -> str:
    name = thing.full
    return (
        f"# {name}\n\n位于{thing.at}的{name}于{thing.built}年建成启用。{name}的塔身高{thing.height}米，由当地石料砌成。"
        f"{name}于{thing.closed}年停止开放。\n\n"
        f"如果河水上涨，{name}的看守人就要每隔{thing.keepers}分钟敲钟一次。参观{name}的游客每天须付{thing.fee}元门票。"
        f"停止开放时，{name}共有{thing.keepers}名看守人。{name}的石匠切割了{other.full}的石料。\n"
    )


def _traditional(thing: Thing, other: Thing) -> str:
    name = thing.full
    return (
        f"# {name}\n\n位於{thing.at}的{name}於{thing.built}年建成啟用。{name}的塔身高{thing.height}米，由當地石料砌成。"
        f"{name}於{thing.closed}年停止開放。\n\n"
        f"如果河水上漲，{name}的看守人就要每隔{thing.keepers}分鐘敲鐘一次。參觀{name}的遊客每天須付{thing.fee}元門票。"
        f"停止開放時，{name}共有{thing.keepers}名看守人。{name}的石匠切割了{other.full}的石料。\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(write(options.folder, options.n, options.seed))


if __name__ == "__main__":
    main()
