/**
 * A file name pattern as Ruby's File.fnmatch has it: `*`, `?`, `[a-z]`, `[^a]`, `\` before a literal, and no wildcard
 * stands for a leading period. Braces are alternatives only in Ruby's Dir.glob, and taken here, too.
 */
export function globToRegExp(glob: string): RegExp {
  let pattern = ''
  let depth = 0
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at]!
    const set = char === '[' ? /^\[([!^]?)([^\]]+)\]/.exec(glob.slice(at)) : null
    if (set) {
      pattern += `[${set[1] ? '^' : ''}${set[2]!.replace(/[\\[\]^]/g, '\\$&')}]`
      at += set[0].length - 1
    } else if (char === '*') pattern += '[^/]*'
    else if (char === '?') pattern += '[^/]'
    else if (char === '\\' && at + 1 < glob.length) pattern += literal(glob[++at]!)
    else if (char === '{' && glob.indexOf('}', at) !== -1) {
      pattern += '(?:'
      depth++
    } else if (char === '}' && depth > 0) {
      pattern += ')'
      depth--
    } else pattern += char === ',' && depth > 0 ? '|' : literal(char)
  }
  const hidden = /^[*?[]/.test(glob) ? '(?!\\.)' : ''
  return new RegExp(`^${hidden}${pattern}$`, 'su')
}

function literal(char: string): string {
  return char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
}
