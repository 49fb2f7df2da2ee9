import { LexerError, tokenize } from '../../tokens/lexer.ts'
import type { Token } from '../../tokens/token.ts'
import type { TokenList } from '../../tokens/token-list.ts'
import { type Check, styleGuide } from '../check.ts'

/** `variables_not_enclosed` */
export const variablesNotEnclosed: Check = {
  name: 'variables_not_enclosed',
  doc: 'A variable in a string is enclosed in braces.',
  helpUri: styleGuide('quoting'),
  check(manifest, report) {
    for (const token of manifest.select('UNENC_VARIABLE')) {
      const fix = (list: TokenList) => encloseVariable(token, list)
      report({ severity: 'warning', message: 'variable not enclosed in {}', at: token, fix })
    }
  },
}

/** Encloses a variable and the indexes after it. Text after a dash does not belong to the name. */
function encloseVariable(variable: Token, list: TokenList): boolean {
  const text = variable.next
  const indexes = text && isText(text) && text.value.startsWith('[') ? readIndexes(text.value) : ''
  const added = tokenizeIndexes(indexes)
  if (!added) return false
  if (variable.value.startsWith('\n$')) moveLineBreak(variable)
  variable.type = 'VARIABLE'
  for (const token of added) {
    token.nextCode = undefined
    list.insertBefore(token, text)
  }
  if (text && indexes !== '') changeText(text, text.value.slice(indexes.length))
  const dash = variable.value.indexOf('-')
  if (dash !== -1) {
    if (variable.next) changeText(variable.next, variable.value.slice(dash) + variable.next.value)
    variable.value = variable.value.slice(0, dash)
  }
  return true
}

/** The tokens of the indexes; undefined if they have a syntax error. */
function tokenizeIndexes(text: string): readonly Token[] | undefined {
  try {
    return tokenize(text)
  } catch (error) {
    if (error instanceof LexerError) return undefined
    throw error
  }
}

function isText({ type }: Token): boolean {
  return type === 'DQMID' || type === 'DQPOST' || type === 'HEREDOC_MID' || type === 'HEREDOC_POST'
}

/** The indexes at the beginning of a text, such as `[0][1]`. */
function readIndexes(text: string): string {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '[') depth++
    else if (text[at] === ']') depth--
    if (depth === 0 && text[at + 1] !== '[') return text.slice(0, at + 1)
  }
  return text
}

/** The lexer reads a line break before a variable as a part of its name. */
function moveLineBreak(variable: Token): void {
  const { previous } = variable
  if (previous) changeText(previous, `${previous.value}\n`)
  variable.value = variable.value.slice(2)
}

function changeText(token: Token, value: string): void {
  // The source text of the end of a heredoc includes its tag.
  if (token.raw?.startsWith(token.value)) token.raw = value + token.raw.slice(token.value.length)
  token.value = value
}
