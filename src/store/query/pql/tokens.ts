/** Returns the end of a token that starts at a position; `undefined` if no such token starts there. */
export type TokenMatcher = (text: string, at: number) => number | undefined

/** Maximum length of a path segment in characters. */
const longestSegment = 1000

const lineEnd = /[\n\r\u0085\u2028\u2029]/
const spaceOrDot = /[. \t\n\v\f\r]/

/** PQL's tokens of variable text. White space and line ends are defined as in Java. */
export const tokenMatchers = {
  space: createTokenMatcher(/[ \t\n\v\f\r]+/y),
  field: createTokenMatcher(/[a-zA-Z0-9_]+\??/y),
  quotedSegment: findQuotedSegmentEnd,
  standardSegment: createTokenMatcher(/[^ \t\n\v\f\r."\x2c\x5b\x5d!<=>~]+(?:\[\d+\])?/y),
  matchSegment: findMatchSegmentEnd,
  inDoubleQuotes: createTokenMatcher(/(?:[^"\\]|\\[^\n\r\u0085\u2028\u2029])*/y),
  inSingleQuotes: createTokenMatcher(/(?:[^'\\]|\\[^\n\r\u0085\u2028\u2029])*/y),
} as const

/** Returns a function that finds the end of the match of a sticky pattern. */
function createTokenMatcher(pattern: RegExp): TokenMatcher {
  return (text, at) => {
    pattern.lastIndex = at
    return pattern.test(text) ? pattern.lastIndex : undefined
  }
}

/**
 * Returns the end of a quoted segment: the first quote that is followed by a dot or white space,
 * within one line.
 */
function findQuotedSegmentEnd(text: string, at: number): number | undefined {
  if (text[at] !== '"') return undefined
  const line = getLineRest(text, at)
  for (let quote = line.indexOf('"', 1); quote !== -1; quote = line.indexOf('"', quote + 1)) {
    if (spaceOrDot.test(text[at + quote + 1] ?? '')) return at + quote + 1
  }
  return undefined
}

/** Returns the end of `match(…)`: the first closing parenthesis, within one line. */
function findMatchSegmentEnd(text: string, at: number): number | undefined {
  if (!text.startsWith('match(', at)) return undefined
  const end = getLineRest(text, at).indexOf(')')
  return end === -1 ? undefined : at + end + 1
}

function getLineRest(text: string, at: number): string {
  const rest = text.slice(at, at + longestSegment)
  const end = rest.search(lineEnd)
  return end === -1 ? rest : rest.slice(0, end)
}

/** Names of entities; a name is listed before its own prefixes. PuppetDB does not have the last two. */
export const entityNames = [
  ...['factsets', 'facts', 'reports', 'catalogs', 'packages', 'package_inventory', 'resources', 'nodes'],
  ...['environments', 'fact_paths', 'fact_contents', 'inventory', 'edges', 'events', 'catalog_history', 'node_history'],
]
