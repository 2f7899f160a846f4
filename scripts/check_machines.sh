#!/usr/bin/env bash
# Checks with real Ray and a server of S3 on loopback, in an environment of their own on top of that of synth: some
# minutes, and 90 MB to download once, which is why scripts/test.sh does not run them.
# Usage: scripts/check_machines.sh [FOLDER ...]
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
prepare
own=$environment/machines
list=$root/scripts/requirements-machines.txt
if ! cmp -s "$list" "$own/installed.txt"; then
  "$python" -m venv "$own"
  "$own/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement "$list"
  site='import sysconfig; print(sysconfig.get_path("purelib"))'
  # As a site folder, since synth is installed in it by a .pth file of its own.
  echo "import site; site.addsitedir('$("$python" -c "$site")')" >"$("$own/bin/python" -c "$site")/synth.pth"
  cp "$list" "$own/installed.txt"
fi
exec "$own/bin/python" "$root/scripts/check_machines.py" "$@"
