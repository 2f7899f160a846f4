#!/usr/bin/env bash
# Install PACKAGE, else the copy of synth that this action is from, in an environment of its own, and put its commands on
# the path of the next steps.
set -euo pipefail
python3 -m venv "$RUNNER_TEMP/synth"
checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
"$RUNNER_TEMP/synth/bin/pip" install --quiet --disable-pip-version-check "${PACKAGE:-$checkout[models]}"
echo "$RUNNER_TEMP/synth/bin" >>"$GITHUB_PATH"
