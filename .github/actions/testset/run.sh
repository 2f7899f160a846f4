#!/usr/bin/env bash
# Run COMMAND, `update` or `verify`, on TESTSET, and write its summary as Markdown. CORPUS and OPTIONS have a word a line.
set -euo pipefail
arguments=("$TESTSET" --corpus)
while IFS= read -r line; do
  [[ -z $line ]] || arguments+=("$line")
done <<<"$CORPUS"$'\n'"$OPTIONS"
summary=$RUNNER_TEMP/synth-summary.md
: >"$summary"
code=0
case $COMMAND in
  update) synth update "${arguments[@]}" -o "$TESTSET" --summary "$summary" || code=$? ;;
  verify)
    output=$(COLUMNS=160 synth verify "${arguments[@]}") || code=$?
    printf '%s\n' "$output"
    if [[ $code -le 1 ]]; then # indented text is shown as it is, whatever the names of rows and documents hold
      { printf '### %s: %s\n\n' "${TESTSET##*/}" "${output##*$'\n'}" && sed 's/^/    /' <<<"$output"; } >"$summary"
    fi
    ;;
  *)
    echo "::error::the input 'command' must be update or verify, was '$COMMAND'"
    exit 2
    ;;
esac
cat "$summary" >>"$GITHUB_STEP_SUMMARY"
[[ -s $summary ]] || summary=
printf 'exit-code=%s\nsummary=%s\n' "$code" "$summary" >>"$GITHUB_OUTPUT"
