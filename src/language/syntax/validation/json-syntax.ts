import { skipJsonBlanks as afterJsonBlanks } from '../../ruby-semantics/json/json-whitespace.ts'

/**
 * Returns the error message of Ruby's JSON parser for a text; `undefined` for valid JSON. Source: json 2.6, parser.rl.
 */
export function findJsonError(text: string): string | undefined {
  try {
    const start = skipBlanks(text, 0)
    const end = skipValue(text, start, 1)
    if (end === undefined) return formatUnexpected(lines.document, text, start)
    const rest = skipBlanks(text, end)
    return rest === text.length ? undefined : formatUnexpected(lines.document, text, rest)
  } catch (error) {
    if (error instanceof JsonError) return error.message
    throw error
  }
}

/**
 * Error in an array, a number or the nesting depth, which ends the check. An error in an object is reported at the
 * start of the object.
 */
class JsonError extends Error {}

/** Line numbers in the source code of Ruby's parser, with which its messages start. */
const lines = { document: 859, array: 451 } as const
/** Words that Ruby's parser reads but rejects as numbers, with the source line number in its message. */
const noNumbers = { NaN: 225, Infinity: 232, '-Infinity': 249 } as const
const deepest = 100

function formatUnexpected(line: number, text: string, at: number): string {
  return `${line}: unexpected token at '${text.slice(at)}'`
}

/** Returns the offset after white space and comments. */
function skipBlanks(text: string, at: number): number {
  return afterJsonBlanks(text, at, true)
}

/** Returns the offset after the value at `at`; `undefined` if no value starts there. */
function skipValue(text: string, at: number, depth: number): number | undefined {
  switch (text[at]) {
    case '{':
      return skipObject(text, at, depth)
    case '[':
      return skipArray(text, at, depth)
    case '"':
      return matchAt(/"(?:[^"\\\0-\x1f]|\\u[\da-fA-F]{4}|\\[^u\0-\x1f])*"/y, text, at)
  }
  // Ruby's message about `Infinity` quotes the text from the preceding character.
  for (const [word, line] of Object.entries(noNumbers))
    if (text.startsWith(word, at))
      throw new JsonError(formatUnexpected(line, text, word === 'Infinity' && at > 0 ? at - 1 : at))
  const number = /-?(?:0|[1-9]\d*)(?:(?:\.\d+(?:[Ee][+-]?\d+)?|[Ee][+-]?\d+)(?![\dEe.-])|(?!\d))/y
  return matchAt(/null|true|false/y, text, at) ?? matchAt(number, text, at)
}

function matchAt(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function checkDepth(depth: number): void {
  if (depth > deepest) throw new JsonError(`nesting of ${depth} is too deep`)
}

function skipArray(text: string, start: number, depth: number): number {
  checkDepth(depth)
  let at = skipBlanks(text, start + 1)
  if (text[at] === ']') return at + 1
  for (;;) {
    const end = skipValue(text, at, depth + 1)
    if (end === undefined) throw new JsonError(formatUnexpected(lines.array, text, at))
    at = skipBlanks(text, end)
    if (text[at] === ']') return at + 1
    if (text[at] !== ',') throw new JsonError(formatUnexpected(lines.array, text, at))
    at = skipBlanks(text, at + 1)
  }
}

function skipObject(text: string, start: number, depth: number): number | undefined {
  checkDepth(depth)
  let at = skipBlanks(text, start + 1)
  if (text[at] === '}') return at + 1
  for (;;) {
    const name = text[at] === '"' ? skipValue(text, at, depth) : undefined
    const colon = name === undefined ? undefined : skipBlanks(text, name)
    if (colon === undefined || text[colon] !== ':') return undefined
    const end = skipValue(text, skipBlanks(text, colon + 1), depth + 1)
    if (end === undefined) return undefined
    at = skipBlanks(text, end)
    if (text[at] === '}') return at + 1
    if (text[at] !== ',') return undefined
    at = skipBlanks(text, at + 1)
  }
}
