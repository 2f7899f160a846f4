"""Words and scripts in one form."""

import pytest

from synth.text.normalise import normalise, to_taiwan


@pytest.mark.parametrize(
    ("simplified", "written"),
    [
        ("“默认值”为数据", "「預設值」為資料"),
        ("这里的文档", "這裡的文件"),
        ("用户设置列表", "使用者設定清單"),
        ("plain", "plain"),
    ],
)
def test_taiwan_has_its_own_words_and_marks(simplified, written):
    assert to_taiwan(simplified) == written


@pytest.mark.parametrize(("raised", "flat"), [("10⁶", "106"), ("3×10⁻⁵", "3×10-5"), ("2½", "21/2")])
def test_an_exponent_and_a_fraction_are_no_digits_of_the_number_before(raised, flat):
    assert normalise(raised) != normalise(flat)
    assert normalise("10⁶") == normalise("10^6")
    assert normalise("m²") == normalise("m2")
