/** An instance variable in the Ruby code of an ERB template. */
export interface ErbVariable {
  /** The name without `@`. */
  readonly name: string
  /** Offset of `@`. */
  readonly start: number
  /** True if the template sets the variable there. */
  readonly isSet: boolean
}

/** Finds the instance variables in a template, outside of comments and texts; interpolations in texts are read. */
export function findErbVariables(text: string): readonly ErbVariable[] {
  const found: ErbVariable[] = []
  for (const { code, start } of listErbCode(text))
    for (const { 1: name = '', index } of code.matchAll(/(?<![\w@])@([a-z_]\w*)/g)) {
      const rest = code.slice(index + name.length + 1, index + name.length + 20)
      found.push({ name, start: start + index, isSet: /^\s*(?:\|\||[+])?=(?![=~>])/.test(rest) })
    }
  return found
}

/** The instance variables that an ERB template reads, without `@`. Variables that the template sets are left out. */
export function listErbVariables(text: string): readonly string[] {
  const found = findErbVariables(text)
  const set = new Set(found.filter(({ isSet }) => isSet).map(({ name }) => name))
  return [...new Set(found.map(({ name }) => name))].filter((name) => !set.has(name))
}

interface ErbCode {
  readonly code: string
  readonly start: number
}

/** The Ruby code of a template; spaces take the place of comments and texts. */
function* listErbCode(text: string): Generator<ErbCode> {
  for (let at = text.indexOf('<%'); at !== -1; at = text.indexOf('<%', at)) {
    const end = text.indexOf('%>', at)
    const code = text.slice(at + 2, end === -1 ? undefined : end)
    if (!code.startsWith('%') && !code.startsWith('#')) yield { code: blankTexts(code), start: at + 2 }
    if (end === -1) return
    at = end + 2
  }
}

function blankTexts(code: string): string {
  return code
    .replace(/'[^'\n]*'/g, blank)
    .replace(/"[^"\n]*"/g, blankAroundInterpolations)
    .replace(/(^|\s)(#[^\n]*)/g, (_, before: string, comment: string) => before + blank(comment))
}

function blank(text: string): string {
  return ' '.repeat(text.length)
}

/** Keeps the code of the interpolations in a text. */
function blankAroundInterpolations(quoted: string): string {
  const [first = '', ...parts] = quoted.split('#{')
  const kept = parts.map((part) => {
    const code = part.split('}', 1)[0]!
    return `  ${code}${blank(part.slice(code.length))}`
  })
  return blank(first) + kept.join('')
}
