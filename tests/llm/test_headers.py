"""Rate limits and waits in headers."""

import pytest

from synth.models.chat.headers import rate_limits, retry_after


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m6.5s"}, 66.5),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "250ms"}, 0.25),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "7"}, 7.0),
        ({"x-ratelimit-remaining-requests": "3", "x-ratelimit-reset-requests": "9s"}, 0.0),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "23h59m"}, 0.0),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "soon"}, 0.0),
        ({}, 0.0),
    ],
)
def test_what_is_left_of_a_minute(headers, wait):
    found = rate_limits(headers)
    assert (found.exhausted, found.reset_s) == (wait > 0, wait)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, 30.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "tomorrow"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait(headers, wait):
    assert retry_after(headers) == wait
