#!/usr/bin/env bash
# The whole test suite, in an environment that this script makes. Arguments go to pytest.
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
prepare
# The tests of pages drive a real browser; Debian's is installed where there is none.
if ! command -v chromium >/dev/null || ! command -v chromedriver >/dev/null; then
  if command -v apt-get >/dev/null; then
    (apt-get update -qq && apt-get install -y -qq chromium chromium-driver) >/dev/null ||
      echo "could not install chromium and chromium-driver; the tests of pages will say so" >&2
  fi
fi
cd "$root"
exec "$python" -m pytest -n 2 "$@"
