"""Good replies of a model to the prompt of every operator, in English and simplified Chinese."""

from tests.evolutions.made import BRANDT, KELL, replied

_E = [f"{part}." for part in KELL["en"].rstrip(".").split(". ")]
_Z = [f"{part}。" for part in KELL["zh-Hans"].rstrip("。").split("。")]
_BORN = {"en": "She was born in 1770.", "zh-Hans": "她生于1770年。"}
_DESIGNED = {"en": BRANDT["en"].split(". ")[0] + ".", "zh-Hans": BRANDT["zh-Hans"].split("。")[0] + "。"}

GOOD = {
    "chat_reason": {
        "en": replied(
            "How many years after the Kell lighthouse was the Maro lighthouse built?", "22 years",
            ("the Kell lighthouse", "1811", _E[0]), ("the Maro lighthouse", "1833", _E[1]), operation="years_between",
        ),
        "zh-Hans": replied(
            "马罗灯塔比凯尔灯塔晚建成多少年？", "22年",
            ("凯尔灯塔", "1811年", _Z[0]), ("马罗灯塔", "1833年", _Z[1]), operation="years_between",
        ),
    },
    "chat_condition": {
        "en": replied(
            "What does the keeper of the Kell lighthouse do if fog hides the lamp?", "rings a bell every minute",
            ("the condition", "fog hides the lamp", _E[2]), ("the keeper", "rings a bell every minute", _E[2]),
        ),
        "zh-Hans": replied(
            "如果大雾遮住灯光，凯尔灯塔的看守人会怎么做？", "每分钟敲一次钟",
            ("条件", "大雾遮住灯光", _Z[2]), ("看守人", "每分钟敲一次钟", _Z[2]),
        ),
    },
    "chat_hypothesise": {
        "en": replied(
            "Suppose fog hides the lamp of the Kell lighthouse one night: does its keeper stay silent?", "no",
            ("the condition", "fog hides the lamp", _E[2]), ("the keeper", "rings a bell every minute", _E[2]),
        ),
        "zh-Hans": replied(
            "假设一天夜里大雾遮住灯光，凯尔灯塔的看守人会一声不响吗？", "不会",
            ("条件", "大雾遮住灯光", _Z[2]), ("看守人", "每分钟敲一次钟", _Z[2]),
        ),
    },
    "chat_constrain": {
        "en": replied(
            "What does the keeper of the Kell lighthouse ring every minute in fog?", "a bell",
            ("in which weather", "fog", _E[2]), ("the keeper", "a bell", _E[2]),
        ),
        "zh-Hans": replied(
            "大雾遮住灯光时，凯尔灯塔的看守人每分钟做什么？", "敲一次钟",
            ("天气", "大雾", _Z[2]), ("看守人", "敲一次钟", _Z[2]),
        ),
    },
    "chat_concretise": {
        "en": replied(
            "How much leave does the keeper of the Kell lighthouse have?", "40 days",
            ("each keeper", "Kell", _E[3]), ("leave", "40 days", _E[3]),
        ),
        "zh-Hans": replied(
            "凯尔灯塔的看守人有多少天假期？", "40天", ("每个看守人", "凯尔灯塔的看守人", _Z[3]), ("假期", "40天", _Z[3])
        ),
    },
    "chat_sibling": {
        "en": replied(
            "How often is the bell of the Kell lighthouse rung in fog?", "every minute", ("bell", "every minute", _E[2])
        ),
        "zh-Hans": replied("大雾时凯尔灯塔的钟多久敲一次？", "每分钟", ("钟", "每分钟", _Z[2])),
    },
    "chat_compose": {
        "en": replied(
            "In which year was the lighthouse built that Ada Brandt designed?", "1811",
            ("what Ada Brandt designed", "the Kell lighthouse", _DESIGNED["en"]), ("Kell lighthouse", "1811", _E[0]),
        ),
        "zh-Hans": replied(
            "林望设计的灯塔建于哪一年？", "1811年",
            ("林望设计的灯塔", "凯尔灯塔", _DESIGNED["zh-Hans"]), ("凯尔灯塔", "1811年", _Z[0]),
        ),
    },
    "chat_compare": {
        "en": replied(
            "Which came first, the birth of Ada Brandt or the building of the Kell lighthouse?", "the birth of Ada Brandt",
            ("the birth of Ada Brandt", "1770", _BORN["en"]),
            ("the building of the Kell lighthouse", "1811", _E[0]), operation="earliest",
        ),
        "zh-Hans": replied(
            "林望出生和凯尔灯塔建成，哪一个在先？", "林望出生",
            ("林望出生", "1770年", _BORN["zh-Hans"]), ("凯尔灯塔建成", "1811年", _Z[0]), operation="earliest",
        ),
    },
}  # fmt: skip
