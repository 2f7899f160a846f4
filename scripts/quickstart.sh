#!/usr/bin/env bash
# The main job, from nothing: set up, make an English and a Chinese set from corpora/, check both, print ten rows.
# No model server and no key are needed. Usage: scripts/quickstart.sh [OUTPUT_FOLDER]
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
prepare
output=${1:-$root/quickstart}
export SYNTH_WORKSPACE=${SYNTH_WORKSPACE:-$output/workspace}
for language in en zh; do
  "$environment/bin/synth" generate "$root/corpora/$language" -o "$output/$language/testset.jsonl" -n 50
  "$environment/bin/synth" verify "$output/$language/testset.jsonl" --corpus "$root/corpora/$language"
done
echo
echo "Ten of the questions:"
for language in en zh; do
  "$environment/bin/synth" show "$output/$language/testset.jsonl" -n 5
done
echo
echo "To have the command synth in this terminal:"
echo "  source $environment/bin/activate"
