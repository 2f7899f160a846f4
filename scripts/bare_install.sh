#!/usr/bin/env bash
# The wheel in an environment of its own, as people install it: its size, and a set made with a chat model.
# Usage: scripts/bare_install.sh [EXTRA], such as all. The chat model is the bench server, on loopback; pip needs a network.
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
prepare
unset PYTHONPATH
work=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$work"' EXIT
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$work" "$root"
wheel=$(echo "$work"/synth_testset-*.whl)
"${PYTHON:-python3}" -m venv "$work/bare"
before=$(du -sm "$work/bare" | cut -f1)
began=$SECONDS
"$work/bare/bin/python" -m pip install --quiet --disable-pip-version-check "$wheel${1:+[$1]}"
packages=$("$work/bare/bin/python" -m pip list --disable-pip-version-check --format freeze | grep -vcE '^(pip|setuptools)==')
echo "synth-testset${1:+[$1]}: $packages packages, $(($(du -sm "$work/bare" | cut -f1) - before)) MB, $((SECONDS - began)) s to install"

"$python" "$root/scripts/bench_server.py" --plain >"$work/address" &
server=$!
until [[ -s $work/address ]]; do sleep 0.1; done
cd "$work" # not the checkout, which would be imported in the place of the wheel
export SYNTH_WORKSPACE=$work/workspace
corpus=("$root/corpora/en" --exclude '*.docx' '*.pdf' '*.pptx' '*.xlsx') # what needs no extra
"$work/bare/bin/synth" generate "${corpus[@]}" -o set.jsonl -n 10 --llm m --base-url "$(<address)" --quiet
"$work/bare/bin/synth" verify set.jsonl --corpus "${corpus[@]}"
