#!/usr/bin/env bash
# The documentation site, built strictly: a page missing in the menu, a broken link or anchor ends it.
# Its tools are in an environment of their own, inside that of synth. Usage: scripts/docs.sh [FOLDER], build/site otherwise.
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
environment=$environment/docs
python=$environment/bin/python
list=$root/scripts/requirements-docs.txt
if ! cmp -s "$list" "$environment/installed.txt"; then
  "${PYTHON:-python3}" -m venv "$environment"
  install --no-deps --require-hashes --requirement "$list"
  cp "$list" "$environment/installed.txt"
fi
site=${1:-$root/build/site}
mkdir -p "$site"
site=$(cd "$site" && pwd)
cd "$root"
NO_MKDOCS_2_WARNING=1 "$python" -m mkdocs build --config-file .mkdocs.yml --site-dir "$site"
echo "$(find "$site" -name '*.html' | wc -l) pages in $site"
