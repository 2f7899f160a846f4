"""LaTeX in replies with single backslashes is LaTeX; a line break or a tab stays one."""

from __future__ import annotations

import json

import pytest

from synth.models.chat.escapes import with_latex
from synth.models.chat.structured import parse_reply

LATEX = (
    r"$\frac{1}{2}$", r"$\frac{1}{2}\times\rho$", r"\frac{a}{b}", r"$a \times b$", r"$\beta$", r"$\nu$", r"$\rho$",
    r"$\text{if } x$", r"\text{mass}", r"$\theta$", r"$\tau = 3$", r"$x \to 0$", r"$a \neq b$", r"$a \ne b$",
    r"$\nabla f$", r"$\bar{x}$", r"$\binom{n}{k}$", r"$\forall x$", r"$\not= 1$", r"$\begin{array} x$",
    r"$\right)$", r"$\alpha$", r"\alpha", r"$\sum_i$", r"$\int$", r"$\left($", r"$\cdot$", r"\(x\)", r"\[x\]",
    r"$\underline{x}$", r"$\uparrow$", r"$\upsilon$", r"$\%$", r"50\%", r"$\{a\}$", r"$\tan x$", r"$\top$",
    r"公式 $\frac{1}{2}$ 是什么", r"$\rho$ 是密度", r"密度 $\rho$ 与速度 $\nu$", r"系数 $\beta$", r"$\text{质量}$",
    r"\sqrt{2} 等于多少", r"\textbf{注意}", r"$3 \times 10^8$ 米", r"当 $x \to \infty$ 时",
)  # fmt: skip
PLAIN = (
    "one\ntwo", "one\nnot two", "a\nnew line", "first\ttext", "a\tto b", "x\nright", "a\nnu", "one\r\ntwo", "tab\ttab",
    "cost $5\nnot more", "第一行\n第二行", "甲\t乙", "- a\n- b", "1.\ttimes are given", "C:\\new\\table", r"$\\frac$",
    "\\frac{1}{2}", "$\\times$", "\"quoted\"", "a/b", "\u00e9", "“引号”", "名称\ntext 文本", "line\nname\nnote",
    "from\nNew York", "\n", "a\n\nb", "$\\alpha$ 与\n$\\beta$", "\\\\", "\\n",
    "\nu\xa0", "a\nu $5", "x\nu_0 = 1", "1\tau^2", "\to\n", "one\ni \\ two",
)  # fmt: skip
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


@pytest.mark.parametrize("text", LATEX)
def test_latex_with_single_backslashes_is_latex(text: str) -> None:
    assert parse_reply('{"a": "' + text + '"}', SCHEMA) == {"a": text}


@pytest.mark.parametrize("text", PLAIN)
def test_a_reply_that_is_valid_json_is_not_rewritten(text: str) -> None:
    reply = json.dumps({"a": text})
    assert with_latex(reply) == reply


def test_one_command_shows_that_no_backslash_is_doubled() -> None:
    assert parse_reply(r'{"a": "\alpha and \tau_0"}', SCHEMA) == {"a": r"\alpha and \tau_0"}


@pytest.mark.parametrize("text", [*PLAIN, *LATEX])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_json_that_is_right_keeps_its_meaning(text: str, ascii_only: bool) -> None:
    assert json.loads(with_latex(json.dumps({"a": text}, ensure_ascii=ascii_only))) == {"a": text}
