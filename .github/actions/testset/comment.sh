#!/usr/bin/env bash
# Write SUMMARY, a Markdown file, as a comment on PULL_REQUEST. The next run for TESTSET replaces it. With EXIT_CODE 0 there
# is nothing to tell, so only an earlier comment is replaced.
set -euo pipefail
mark="<!-- synth-testset: $TESTSET -->"
comments=$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues

call() { # METHOD ADDRESS [BODY]; the token is no argument, since arguments are seen by other processes
  curl --silent --show-error --fail --max-time 60 --request "$1" --header @- --header 'Accept: application/vnd.github+json' \
    ${3+--data-binary @"$3"} "$2" <<<"Authorization: Bearer $TOKEN"
}

# Prints the number of comments on a page, and the id of the one that an earlier run of the action wrote.
find_mark='
import json, sys
comments = json.load(sys.stdin)
own = (c["id"] for c in comments if c["user"]["type"] == "Bot" and (c["body"] or "").startswith(sys.argv[1]))
print(len(comments), next(own, ""))
'

# Prints the comment as JSON; GitHub takes 65,536 characters.
comment='
import json, pathlib, sys
text = pathlib.Path(sys.argv[2]).read_text(encoding="utf-8")
print(json.dumps({"body": f"{sys.argv[1]}\n{text}"[:60000]}))
'

write() {
  local page=1 count=100 earlier='' found body
  while [[ -z $earlier && $count -eq 100 ]]; do
    found=$(call GET "$comments/$PULL_REQUEST/comments?per_page=100&page=$page") || return
    read -r count earlier < <(python3 -c "$find_mark" "$mark" <<<"$found") || return
    page=$((page + 1))
  done
  [[ -n $earlier || $EXIT_CODE -ne 0 ]] || return 0
  body=$(mktemp)
  python3 -c "$comment" "$mark" "$SUMMARY" >"$body" || return
  if [[ -n $earlier ]]; then
    call PATCH "$comments/comments/$earlier" "$body" >/dev/null
  else
    call POST "$comments/$PULL_REQUEST/comments" "$body" >/dev/null
  fi
}

# A pull request from a fork has a token that may not write: the summary of the job has the text.
write || echo "::warning::the summary could not be written as a comment; the job needs permissions: {pull-requests: write}"
