#!/usr/bin/env bash
# Install PACKAGE in an environment of its own, and put its commands on the path of the next steps.
set -euo pipefail
python3 -m venv "$RUNNER_TEMP/synth"
"$RUNNER_TEMP/synth/bin/pip" install --quiet --disable-pip-version-check "$PACKAGE"
echo "$RUNNER_TEMP/synth/bin" >>"$GITHUB_PATH"
