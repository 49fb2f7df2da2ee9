/** The end of what stands at a place of a text, where it has a certain form. */
export type Ending = (text: string, at: number) => number | undefined

/** Characters that a segment of a path has at most. */
const longestSegment = 1000

const lineEnd = /[\n\r\u0085\u2028\u2029]/
const spaceOrDot = /[. \t\n\v\f\r]/

/** The forms of PQL's smallest parts. White space and the ends of lines are what Java calls so. */
export const endings = {
  space: sticky(/[ \t\n\v\f\r]+/y),
  digits: sticky(/[0-9]+/y),
  field: sticky(/[a-zA-Z0-9_]+\??/y),
  quotedSegment,
  standardSegment: sticky(/[^ \t\n\v\f\r."\x2c\x5b\x5d!<=>~]+(?:\[\d+\])?/y),
  matchSegment,
  inDoubleQuotes: sticky(/(?:[^"\\]|\\[^\n\r\u0085\u2028\u2029])*/y),
  inSingleQuotes: sticky(/(?:[^'\\]|\\[^\n\r\u0085\u2028\u2029])*/y),
} as const

/** The end of the match of a sticky pattern. */
function sticky(pattern: RegExp): Ending {
  return (text, at) => {
    pattern.lastIndex = at
    return pattern.test(text) ? pattern.lastIndex : undefined
  }
}

/** From a quote to the first one before a dot or space, in one line. */
function quotedSegment(text: string, at: number): number | undefined {
  if (text[at] !== '"') return undefined
  const line = restOfLine(text, at)
  for (let quote = line.indexOf('"', 1); quote !== -1; quote = line.indexOf('"', quote + 1)) {
    if (spaceOrDot.test(text[at + quote + 1] ?? '')) return at + quote + 1
  }
  return undefined
}

/** `match(…)` up to the first closing parenthesis, in one line. */
function matchSegment(text: string, at: number): number | undefined {
  if (!text.startsWith('match(', at)) return undefined
  const end = restOfLine(text, at).indexOf(')')
  return end === -1 ? undefined : at + end + 1
}

function restOfLine(text: string, at: number): string {
  const rest = text.slice(at, at + longestSegment)
  const end = rest.search(lineEnd)
  return end === -1 ? rest : rest.slice(0, end)
}

/** The names of entities; longer ones before those that they start with. The last two are ours, and PuppetDB's errors know nothing of them. */
export const entityName =
  /factsets|facts|reports|catalogs|packages|package_inventory|resources|nodes|environments|fact_paths|fact_contents|inventory|edges|events|catalog_history|node_history/y
