# Completion of stad for bash: `stad complete` prints the candidates; without any, files are completed.
_stad() {
  local word line
  local -a words=()
  COMPREPLY=()
  # bash splits words at "=", which is part of them here: --order=sorted, init=previous.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ($word == "=" || ${words[-1]} == *=) && ${words[-1]} != "" ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  local last=${words[-1]}
  local kept=
  [[ $last == *=* && $COMP_WORDBREAKS == *=* ]] && kept=${last%"${last##*=}"}
  while IFS=$'\t' read -r line _; do
    [[ -n $line ]] && COMPREPLY+=("${line#"$kept"}")
  done <<<"$("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)"
  # "key=" is followed by its value without a space.
  if [[ ${#COMPREPLY[@]} -gt 0 && ${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace 2>/dev/null
  fi
}
complete -o bashdefault -o default -F _stad stad
