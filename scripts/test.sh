#!/usr/bin/env bash
# The whole test suite, in an environment that this script makes. Arguments go to pytest.
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
prepare
cd "$root"
exec "$python" -m pytest "$@"
