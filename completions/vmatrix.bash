# bash completion for vmatrix
# shellcheck shell=bash

# _vmatrix_ids PROGRAM KIND: ids of that kind, in the matrix that the command line names.
_vmatrix_ids() {
  local program=${1/#\~/$HOME} kind=$2 matrix=() i
  for ((i = 1; i + 1 < ${#COMP_WORDS[@]}; i++)); do
    [[ ${COMP_WORDS[i]} != --matrix ]] || matrix=(--matrix "${COMP_WORDS[i + 1]/#\~/$HOME}")
  done
  "$program" matrix list "$kind" "${matrix[@]}" 2>/dev/null </dev/null | while read -r id _; do
    [[ $id == ID ]] || printf '%s\n' "$id"
  done
}

# _vmatrix_words: the words before the cursor that are neither options nor their values.
_vmatrix_words() {
  local i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --format | --matrix | --arch | --vendor | --component | --where | --gpu | --driver | --os | --kernel | --python | --env | --image | --from | --cuda | --rocm | --with | --alternatives | --policy | --min-evidence | --prefer | --exclude | --package)
        [[ ${COMP_WORDS[i + 1]} != = ]] || ((i++))
        ((i++))
        ;;
      -* | =) ;;
      *) printf '%s\n' "${COMP_WORDS[i]}" ;;
    esac
  done
}

# _vmatrix_gpus PROGRAM: names of cards and architectures.
_vmatrix_gpus() { _vmatrix_ids "$1" gpu-names && _vmatrix_ids "$1" architectures; }

# _vmatrix_choices PROGRAM OPTION: the values of an option; fails for one without a value.
_vmatrix_choices() {
  case $2 in
    --format)
      printf '%s\n' text json yaml
      [[ " ${COMP_WORDS[*]} " != *' matrix '@(table|list)' '* ]] || printf '%s\n' markdown csv html
      ;;
    --arch) _vmatrix_ids "$1" architectures ;;
    --vendor) _vmatrix_ids "$1" vendors ;;
    --component) _vmatrix_ids "$1" components ;;
    --gpu) _vmatrix_gpus "$1" ;;
    --os) _vmatrix_ids "$1" os-releases | sed 's/-\([^-]*\)$/:\1/' ;;
    --python) _vmatrix_ids "$1" python-releases | sed 's/^python-//' ;;
    --with | --package) _vmatrix_ids "$1" components ;;
    --policy) printf '%s\n' best-evidence newest oldest-supported smallest-change ;;
    --min-evidence) printf '%s\n' supported expected workaround unknown ;;
    --where | --driver | --kernel | --env | --image | --cuda | --rocm | --alternatives | --prefer | --exclude) ;;
    *) return 1 ;;
  esac
}

_vmatrix_kinds() {
  local program=${1/#\~/$HOME} kind
  "$program" matrix list 2>/dev/null </dev/null | while read -r kind _; do
    [[ $kind == KIND ]] || printf '%s\n' "$kind"
  done
}

# _vmatrix_next PROGRAM WORD...: what may follow these words, beside options.
_vmatrix_next() {
  case "${*:2}" in
    '') printf '%s\n' resolve explain check matrix ;;
    check* | explain*) _vmatrix_ids "$1" components ;;
    matrix) printf '%s\n' lint fmt list show stats table schema ;;
    'matrix list') _vmatrix_kinds "$1" ;;
    'matrix show') _vmatrix_gpus "$1" ;;
  esac
}

_vmatrix_options() {
  local choice=(--policy --min-evidence --prefer --exclude)
  local host=(--gpu --driver --os --kernel --python --env --image --from --cuda --rocm --matrix --explain)
  printf '%s\n' --format --quiet --help
  case $* in
    '') echo --version ;;
    resolve*) printf '%s\n' "${host[@]}" "${choice[@]}" --with --alternatives ;;
    explain*) printf '%s\n' "${host[@]}" "${choice[@]}" ;;
    check*) printf '%s\n' "${host[@]}" ;;
    'matrix fmt'*) printf '%s\n' --matrix --check ;;
    'matrix list'*) printf '%s\n' --matrix --arch --vendor --component --where ;;
    'matrix schema'*) printf '%s\n' --matrix --fields ;;
    'matrix show'*) printf '%s\n' --matrix --sources ;;
    'matrix table'*) printf '%s\n' --matrix --gpu --package ;;
    *) echo --matrix ;;
  esac
}

_vmatrix() {
  local program=$1 current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words choices
  if [[ $current == = ]]; then
    current=
  elif [[ $before == = ]] && ((COMP_CWORD > 2)); then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  mapfile -t words < <(_vmatrix_words)

  if [[ $before == --matrix ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$current")
  elif [[ $before == --from ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  elif choices=$(_vmatrix_choices "$program" "$before"); then
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current")
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_vmatrix_options "${words[@]}")" -- "$current")
  elif [[ "${words[*]}" == 'matrix fmt'* ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- "$current"; compgen -d -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "$(_vmatrix_next "$program" "${words[@]}")" -- "$current")
  fi
}

complete -F _vmatrix vmatrix
