import type { Token } from '../../../language/syntax/lexer/token.ts'

/**
 * Text of a quoted string from its tokens: single quotes if the string contains no interpolation and no escape, and
 * braces around the names of variables.
 */
export function formatString(source: string, tokens: readonly Token[]): string {
  const { start } = tokens[0]!
  if (tokens.length === 1) return formatQuotes(source.slice(start, tokens[0]!.end))
  let text = ''
  let copied = start
  for (let index = 1; index < tokens.length - 1; index++) {
    const variable = tokens[index]!
    const name = source.slice(variable.start + 1, variable.end)
    if (!isBareVariable(tokens, index) || !canEnclose(name)) continue
    text += `${source.slice(copied, variable.start)}\${${name}}`
    copied = variable.end
  }
  return text + source.slice(copied, tokens.at(-1)!.end)
}

function formatQuotes(text: string): string {
  const value = text.slice(1, -1)
  return text.startsWith('"') && !/[\\'\r\n]/.test(value) ? `'${value}'` : text
}

/** True for a variable without braces: the tokens of the text around it touch the variable. */
function isBareVariable(tokens: readonly Token[], index: number): boolean {
  const variable = tokens[index]!
  const before = tokens[index - 1]!
  const after = tokens[index + 1]!
  if (variable.kind !== 'VARIABLE' || (before.kind !== 'DQPRE' && before.kind !== 'DQMID')) return false
  if (after.kind !== 'DQMID' && after.kind !== 'DQPOST') return false
  return before.end === variable.start && variable.end === after.start
}

/** True for a name that the lexer reads as a variable name within braces. */
function canEnclose(name: string): boolean {
  return /^(?:::)?[a-z_]\w*(?:::[a-z_]\w*)*$/.test(name) || /^(?:0|[1-9]\d*)$/.test(name)
}
