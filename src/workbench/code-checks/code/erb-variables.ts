/** The instance variables that an ERB template reads, without `@`. Variables that the template sets are left out. */
export function listErbVariables(text: string): readonly string[] {
  const read = new Set<string>()
  const set = new Set<string>()
  for (const code of listErbCode(text))
    for (const { 1: name = '', index } of code.matchAll(/(?<![\w@])@([a-z_]\w*)/g)) {
      const rest = code.slice(index + name.length + 1, index + name.length + 20)
      if (/^\s*(?:\|\||[+])?=(?![=~>])/.test(rest)) set.add(name)
      else read.add(name)
    }
  return [...read].filter((name) => !set.has(name))
}

/** The Ruby code of a template, without comments and texts; interpolations in texts are kept. */
function* listErbCode(text: string): Generator<string> {
  for (let at = text.indexOf('<%'); at !== -1; at = text.indexOf('<%', at)) {
    const end = text.indexOf('%>', at)
    const code = text.slice(at + 2, end === -1 ? undefined : end)
    if (!code.startsWith('%') && !code.startsWith('#')) yield removeTexts(code)
    if (end === -1) return
    at = end + 2
  }
}

function removeTexts(code: string): string {
  return code
    .replace(/'[^'\n]*'/g, "''")
    .replace(/"[^"\n]*"/g, listInterpolations)
    .replace(/(^|\s)#[^\n]*/g, '$1')
}

/** The code of the interpolations in a text, separated by spaces. */
function listInterpolations(quoted: string): string {
  const [, ...parts] = quoted.split('#{')
  return parts.map((part) => part.split('}', 1)[0]!).join(' ')
}
