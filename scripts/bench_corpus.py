"""A folder of documents for benchmarks and tests: made-up mills, lighthouses and bridges, in three scripts.

python scripts/bench_corpus.py FOLDER -n 100
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from synth.text.normalise import to_traditional

_STARTS = "Al Ber Cor Dun El Far Gar Hol Is Jar Kel Lor Mar Nor Or Pel Quen Ros Sel Tor Ul Vel Wes Yar".split()
_ENDS = "by dale den ford filter ham holm ley mere mont ness ridge stead ton wick worth".split()
_KINDS = (("mill", "水磨坊"), ("lighthouse", "灯塔"), ("bridge", "石桥"))
_PLACES = (("the upper river", "上游"), ("the eastern shore", "东岸"), ("the old harbour", "旧港"))
_HAN = "安柏程东峰古河景兰明宁平青荣石松桐文溪雪云竹"
_ENGLISH = (
    (
        "{Name} at {at} was built for the county board in {built}.",
        "Work on {name} began after a great fire, and its first stone was laid at {at} in {built}.",
        "A guild of merchants paid for {name}, which opened at {at} in {built}.",
    ),
    (
        "The tower of {name} is {height} metres high.",
        "From cellar to roof {name} measures {height} metres, more than its neighbours do.",
        "Climbers who reach the gallery of {name} stand {height} metres above the ground.",
    ),
    (
        "{Name} at {at} was closed to the public in {closed}.",
        "The last season ended in {closed}, when cracks were found in the foundations of {name}.",
        "Since {closed} nobody has lived or worked in {name}, which now belongs to a trust.",
    ),
    (
        "If the river floods, the keeper of {name} rings a bell every {keepers} minutes.",
        "When snow blocks the road, guests of {name} may sleep in its hall for {keepers} nights.",
        "Unless a pilot has been ordered, ships that pass {name} must wait {keepers} hours for the tide.",
    ),
    (
        "Visitors of {name} pay {fee} crowns for a day.",
        "A family ticket to {name} costs {fee} crowns, and children enter without charge.",
        "The yearly rent of {name} was set at {fee} barrels of salted herring.",
    ),
    (
        "{Name} had {keepers} keepers when it closed.",
        "In good years {name} employed {keepers} apprentices under a single foreman.",
        "An inventory lists {keepers} lanterns, two ladders and a brass clock at {name}.",
    ),
    (
        "The masons of {name} cut the stone of the {other}.",
        "Timber left over at {name} was carried upstream for the floors of the {other}.",
        "The engineer of {name} had learned his trade at the {other}.",
    ),
)
_CHINESE = (
    (
        "位于{at}的{name}于{built}年建成启用。",
        "一场大火之后，人们于{built}年在{at}为{name}奠下第一块基石。",
        "{name}由商会出资，{built}年在{at}落成。",
    ),
    (
        "{name}的塔身高{height}米，由当地石料砌成。",
        "从地窖到屋顶，{name}总共{height}米，比邻近的建筑都高。",
        "登上{name}的回廊，离地面有{height}米。",
    ),
    (
        "{name}于{closed}年停止开放。",
        "{closed}年地基出现裂缝，{name}的最后一个旺季就此结束。",
        "从{closed}年起，{name}再也无人居住，现在归一家基金会所有。",
    ),
    (
        "如果河水上涨，{name}的看守人就要每隔{keepers}分钟敲钟一次。",
        "如果大雪封路，{name}的客人可以在大厅里留宿{keepers}夜。",
        "除非事先请了领航员，经过{name}的船只必须等候潮水{keepers}小时。",
    ),
    (
        "参观{name}的游客每天须付{fee}元门票。",
        "{name}的家庭套票售价{fee}元，儿童免费入内。",
        "{name}每年的租金定为{fee}桶咸鱼。",
    ),
    (
        "停止开放时，{name}共有{keepers}名看守人。",
        "生意好的年份，{name}雇用{keepers}名学徒，由一位工头带领。",
        "一份清单记载，{name}存有{keepers}盏提灯、两架梯子和一座铜钟。",
    ),
    (
        "{name}的石匠切割了{other}的石料。",
        "{name}剩下的木材运到上游，铺成了{other}的地板。",
        "{name}的工程师是在{other}学会手艺的。",
    ),
)


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
        kind = _KINDS[self.kind][self.column > 0]
        return f"{self.name}{kind}" if self.column else f"{self.name} {kind}"

    def text(self, other: Thing, draw: random.Random) -> str:
        """The document, which tells of another thing at its end; no two say the same in the same words throughout."""
        name = self.full if self.column else f"the {self.full}"
        values = {
            **asdict(self),
            "name": name,
            "Name": name[0].upper() + name[1:],
            "other": other.full,
            "at": _PLACES[self.place][self.column > 0],
        }
        said = [draw.choice(forms).format(**values) for forms in (_CHINESE if self.column else _ENGLISH)]
        space = "" if self.column else " "
        text = f"# {values['Name']}\n\n{space.join(said[:3])}\n\n{space.join(said[3:])}\n"
        return to_traditional(text) if self.column == 2 else text


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
        text = thing.text(before[thing.column], random.Random(f"{seed}:{number}:text"))
        (folder / f"{number:04}.md").write_text(text, encoding="utf-8")
        before[thing.column] = thing
    return folder


def _thing(number: int, names: Sequence[str], seed: int) -> Thing:
    draw = random.Random(f"{seed}:{number}")
    column = 2 if number % 8 == 7 else 1 if number % 4 == 2 else 0
    han = _HAN[number % len(_HAN)] + _HAN[(number // len(_HAN) + 7 * number) % len(_HAN)] + "山"
    return Thing(
        name=han if column else names[number % len(names)],
        column=column,
        kind=draw.randrange(len(_KINDS)),
        place=draw.randrange(len(_PLACES)),
        built=draw.randrange(1650, 1850),
        closed=draw.randrange(1860, 1990),
        height=draw.randrange(9, 60),
        keepers=draw.randrange(2, 12),
        fee=draw.randrange(3, 40),
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
