"""Words and scripts in one form."""

import pytest

from synth.text.normalise import to_taiwan


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
