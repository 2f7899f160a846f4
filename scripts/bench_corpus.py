"""A folder of documents for benchmarks and tests: made-up mills, lighthouses and bridges, in three scripts.

python scripts/bench_corpus.py FOLDER -n 100
"""

from __future__ import annotations

import argparse
import random
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


def write(folder: Path, count: int, seed: int = 0) -> Path:
    """Write `count` documents into `folder`: every fourth in simplified, every eighth in traditional Chinese."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [start + end for start in _STARTS for end in _ENDS]
    random.Random(seed).shuffle(names)
    for number in range(count):
        draw = random.Random(f"{seed}:{number}")
        if number % 8 == 7:
            text = _chinese(number, draw, traditional=True)
        elif number % 4 == 2:
            text = _chinese(number, draw, traditional=False)
        else:
            text = _english(names[number % len(names)], draw)
        (folder / f"{number:04}.md").write_text(text, encoding="utf-8")
    return folder


def _english(name: str, draw: random.Random) -> str:
    kind, place = draw.choice(_KINDS)[0], draw.choice(_PLACES)[0]
    built, closed = draw.randrange(1650, 1850), draw.randrange(1860, 1990)
    height, keepers, fee = draw.randrange(9, 60), draw.randrange(2, 12), draw.randrange(3, 40)
    return (
        f"# The {name} {kind}\n\n"
        f"The {name} {kind} at {place} was built for the county board in {built}. "
        f"The tower of the {name} {kind} is {height} metres high. "
        f"The {name} {kind} at {place} was closed to the public in {closed}.\n\n"
        f"If the river floods, the keeper of the {name} {kind} rings a bell every {keepers} minutes. "
        f"Visitors of the {name} {kind} pay {fee} crowns for a day. "
        f"The {name} {kind} had {keepers} keepers when it closed.\n"
    )


def _chinese(number: int, draw: random.Random, *, traditional: bool) -> str:
    column = 2 if traditional else 1
    name = _HAN[number % len(_HAN)] + _HAN[(number // len(_HAN) + 7 * number) % len(_HAN)] + "山"
    kind, place = draw.choice(_KINDS)[column], draw.choice(_PLACES)[column]
    built, height, fee = draw.randrange(1650, 1990), draw.randrange(9, 60), draw.randrange(3, 40)
    if traditional:
        name = name.translate(_TRADITIONAL)
        return (
            f"# {name}{kind}\n\n位於{place}的{name}{kind}於{built}年建成啟用。"
            f"{name}{kind}的塔身高{height}米，由當地石料砌成。\n\n"
            f"參觀{name}{kind}的遊客每天須付{fee}元門票。如果河水上漲，{name}{kind}的看守人就要立即敲鐘報警。\n"
        )
    return (
        f"# {name}{kind}\n\n位于{place}的{name}{kind}于{built}年建成启用。"
        f"{name}{kind}的塔身高{height}米，由当地石料砌成。\n\n"
        f"参观{name}{kind}的游客每天须付{fee}元门票。如果河水上涨，{name}{kind}的看守人就要立即敲钟报警。\n"
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
