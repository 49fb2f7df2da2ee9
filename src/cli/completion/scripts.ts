import type { CompletionWords, PathWords } from './completion-words.ts'

// Each script finds the command and its actions among the words before the cursor, and offers the words that may
// follow. All words come from our own tables, and contain only letters, digits, dashes and underscores.

const formatPath = ({ path }: Pick<PathWords, 'path'>): string => ['plumb', ...path].join(' ')

const formatQuotedPaths = ({ paths }: CompletionWords, separator: string): string =>
  paths
    .filter(({ path }) => path.length > 0)
    .map((each) => `'${formatPath(each)}'`)
    .join(separator)

/** Builds the completion script for bash. */
export function buildBashScript(words: CompletionWords): string {
  const values = [...words.values].map(([option, known]) => `    ${option}) known='${known.join(' ')}' ;;`)
  const paths = words.paths.map(
    (each) => `    '${formatPath(each)}') names='${each.names.join(' ')}' options='${each.options.join(' ')}' ;;`,
  )
  return `# Completion for bash, printed by 'plumb completion bash'.
_plumb() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} at=plumb i known= names= options=
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
    ${formatQuotedPaths(words, ' | ')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case $prev in
${values.join('\n')}
  esac
  if [[ -n $known ]]; then
    COMPREPLY=($(compgen -W "$known" -- "$cur"))
    return
  fi
  case $at in
${paths.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    [[ $at == plumb ]] || options+=' ${words.settings.join(' ')}'
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ -n $names ]]; then
    COMPREPLY=($(compgen -W "$names" -- "$cur"))
  fi
}
complete -o default -F _plumb plumb
`
}

/** Builds the completion script for zsh. */
export function buildZshScript(words: CompletionWords): string {
  const values = [...words.values].map(([option, known]) => `    (${option}) compadd -- ${known.join(' ')}; return ;;`)
  const paths = words.paths.map(
    (each) => `    ('${formatPath(each)}') names=(${each.names.join(' ')}) options=(${each.options.join(' ')}) ;;`,
  )
  return `#compdef plumb
# Completion for zsh, printed by 'plumb completion zsh'.
_plumb() {
  local at=plumb i
  local -a names options
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
      (${formatQuotedPaths(words, '|')}) at="$at \${words[i]}" ;;
    esac
  done
  case \${words[CURRENT - 1]} in
${values.join('\n')}
  esac
  case $at in
${paths.join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    [[ $at == plumb ]] || options+=(${words.settings.join(' ')})
    compadd -- $options
  elif (( $#names )); then
    compadd -- $names
  else
    _files
  fi
}
if [ "$funcstack[1]" = _plumb ]; then _plumb "$@"; else compdef _plumb plumb; fi
`
}

/** Builds the completion script for fish. */
export function buildFishScript(words: CompletionWords): string {
  const values = [...words.values].map(([option, known]) => `    case ${option}\n      set known ${known.join(' ')}`)
  const paths = words.paths.map(
    (each) =>
      `    case '${formatPath(each)}'\n      set names ${each.names.join(' ')}\n      set options ${each.options.join(' ')}`,
  )
  return `# Completion for fish, printed by 'plumb completion fish'.
function __plumb_words
  set -l tokens (commandline -opc)
  set -l at plumb
  set -l known
  set -l names
  set -l options
  for word in $tokens[2..]
    switch "$at $word"
      case ${formatQuotedPaths(words, ' ')}
        set at "$at $word"
    end
  end
  switch $tokens[-1]
${values.join('\n')}
  end
  if set -q known[1]
    printf '%s\\n' $known
    return
  end
  switch $at
${paths.join('\n')}
  end
  if test "$at" != plumb
    set -a options ${words.settings.join(' ')}
  end
  if string match -q -- '-*' (commandline -ct)
    printf '%s\\n' $options
  else if set -q names[1]
    printf '%s\\n' $names
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c plumb -f -a '(__plumb_words)'
`
}
