import { budgets } from '../budgets/budgets.ts'
import { defineIssues, throwIssue } from '../issue.ts'

/**
 * A file name pattern with the semantics of Ruby's File.fnmatch; matching takes at most pattern
 * length × name length steps.
 */
export interface Glob {
  /** True if the pattern matches the whole name. */
  matches(name: string, meter?: Meter): boolean
}

/** Adds up the matching cost of one request. Throws if the cost exceeds the limit. */
export interface Meter {
  spend(steps: number): void
}

const issues = defineIssues({
  GLOB_TOO_LONG: {
    text: (a: { glob: string; length: number; bound: number }) =>
      `The pattern '${a.glob}…' has ${a.length} characters, which exceeds the limit of ${a.bound}`,
  },
  GLOB_TOO_WIDE: {
    text: (a: { glob: string; bound: number }) =>
      `The braces of the pattern '${a.glob}…' expand to more than ${a.bound} alternatives`,
    hint: () => 'Write several patterns, or one with a wildcard.',
  },
  GLOB_TOO_MANY_BRACES: {
    text: (a: { glob: string; bound: number }) => `The pattern '${a.glob}…' has more than ${a.bound} braces`,
    hint: () => 'Write several patterns, or one with a wildcard.',
  },
  GLOB_TOO_COSTLY: {
    text: (a: { what: string; bound: number }) => `Matching ${a.what} takes more than ${a.bound} steps`,
    hint: () => 'Use fewer wildcards, and begin paths with names.',
  },
})

export { issues as globIssues }

/** An element of a pattern. */
type Token =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'set'; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] }

const star: Token = { kind: 'star' }
const any: Token = { kind: 'any' }
const nothing: Glob = { matches: () => false }

/**
 * Compiles a name pattern: `*`, `?`, `[a-z]`, `[!a]`, `[^a]`, `\` before a literal. Wildcards do
 * not match a leading period. Throws GLOB_TOO_LONG.
 */
export function compileNameGlob(pattern: string): Glob {
  return compileGlob(pattern, pattern.startsWith('.') || pattern.startsWith('\\.'))
}

/**
 * Compiles a name pattern whose wildcards also match a leading period (Ruby: FNM_DOTMATCH). Throws
 * GLOB_TOO_LONG.
 */
export function compileDottedNameGlob(pattern: string): Glob {
  return compileGlob(pattern, true)
}

function compileGlob(pattern: string, matchesHidden: boolean): Glob {
  checkLength(pattern)
  const tokens = parseGlobTokens([...pattern])
  if (tokens === undefined) return nothing
  return {
    matches: (name, meter) => (matchesHidden || !name.startsWith('.')) && matchTokens(tokens, name, meter),
  }
}

/** Throws GLOB_TOO_LONG if the pattern exceeds the length limit. */
function checkLength(pattern: string): void {
  const { bound } = budgets.pattern.globLength
  if (pattern.length > bound)
    throwIssue(issues.GLOB_TOO_LONG, { glob: pattern.slice(0, 40), length: pattern.length, bound })
}

/** Creates a meter, by default with the usual limit from the budgets. Throws GLOB_TOO_COSTLY above the limit. */
export function createGlobMeter(what: string, bound: number = budgets.pattern.globSteps.bound): Meter {
  let left = bound
  return {
    spend(steps) {
      left -= steps
      if (left < 0) throwIssue(issues.GLOB_TOO_COSTLY, { what, bound })
    },
  }
}

/**
 * Splits a pattern into tokens. Returns `undefined` for an empty or unclosed set: Ruby accepts such
 * a pattern, but it matches nothing.
 */
function parseGlobTokens(characters: readonly string[]): readonly Token[] | undefined {
  const tokens: Token[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    if (character === '*') {
      if (tokens.at(-1) !== star) tokens.push(star)
    } else if (character === '?') tokens.push(any)
    else if (character === '[') {
      const set = parseGlobSet(characters, at + 1)
      if (set === undefined) return undefined
      tokens.push(set.token)
      at = set.end
    } else {
      // A backslash at the end of a pattern is ignored, as in Ruby.
      const literal = character === '\\' ? characters[++at] : character
      if (literal !== undefined) tokens.push({ kind: 'character', character: literal })
    }
  }
  return tokens
}

/**
 * Parses the set at an offset; returns it with the offset of its `]`. Puppet's Ruby: dir.c,
 * bracket.
 */
function parseGlobSet(
  characters: readonly string[],
  start: number,
): { readonly token: Token; readonly end: number } | undefined {
  const negated = characters[start] === '!' || characters[start] === '^'
  const ranges: (readonly [string, string])[] = []
  let at = negated ? start + 1 : start
  const readMember = (): string | undefined => {
    if (characters[at] === '\\') at++
    return characters[at++]
  }
  while (characters[at] !== ']') {
    const first = readMember()
    if (first === undefined || at >= characters.length) return undefined
    if (characters[at] !== '-' || characters[at + 1] === ']') {
      ranges.push([first, first])
      continue
    }
    at++
    const last = readMember()
    if (last === undefined) return undefined
    ranges.push([first, last])
  }
  return { token: { kind: 'set', negated, ranges }, end: at }
}

/**
 * On a mismatch, extends the match of the last star by one character. Earlier stars need no
 * backtracking, so the cost is at most tokens × characters.
 */
function matchTokens(tokens: readonly Token[], name: string, meter: Meter | undefined): boolean {
  const characters: ArrayLike<string> = /[\ud800-\udfff]/.test(name) ? [...name] : name
  let token = 0
  let at = 0
  let afterStar = -1
  let taken = 0
  let steps = 0
  try {
    while (at < characters.length) {
      const next = tokens[token]
      steps += next?.kind === 'set' ? next.ranges.length : 1
      if (next?.kind === 'star') {
        afterStar = ++token
        taken = at
        if (token === tokens.length) return true
      } else if (next && matchesCharacter(next, characters[at]!)) {
        token++
        at++
      } else if (afterStar >= 0) {
        token = afterStar
        at = ++taken
      } else return false
    }
    if (tokens[token]?.kind === 'star') token++
    return token === tokens.length
  } finally {
    meter?.spend(steps + 1)
  }
}

function matchesCharacter(token: Token, character: string): boolean {
  switch (token.kind) {
    case 'star':
    case 'any':
      return true
    case 'character':
      return token.character === character
    case 'set':
      return token.ranges.some((range) => isInCharacterRange(character, range)) !== token.negated
  }
}

/** True if the character is in the range. The ends of a reversed range match as well. */
function isInCharacterRange(character: string, [first, last]: readonly [string, string]): boolean {
  const code = character.codePointAt(0)!
  return character === first || character === last || (code >= first.codePointAt(0)! && code <= last.codePointAt(0)!)
}

/**
 * Expands the first outermost braces of a pattern into its alternatives; `undefined` if there are
 * none. Unclosed braces expand to nothing. Puppet's Ruby: dir.c, ruby_brace_expand.
 */
export function expandFirstBraces(pattern: string): readonly string[] | undefined {
  let depth = 0
  let start = -1
  const commas: number[] = []
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '\\') at++
    else if (character === '{') {
      if (depth++ === 0) start = at
    } else if (character === ',' && depth === 1) commas.push(at)
    else if (character === '}' && start >= 0 && --depth === 0) {
      const [before, after] = [pattern.slice(0, start), pattern.slice(at + 1)]
      const bounds = [start, ...commas, at]
      return bounds.slice(1).map((end, index) => before + pattern.slice(bounds[index]! + 1, end) + after)
    }
  }
  return start < 0 ? undefined : []
}

/**
 * Expands all braces of a pattern, in order. Throws GLOB_TOO_LONG, GLOB_TOO_MANY_BRACES,
 * GLOB_TOO_WIDE.
 */
export function expandBraces(pattern: string): readonly string[] {
  checkLength(pattern)
  const { bound } = budgets.pattern.globAlternatives
  const { bound: mostBraces } = budgets.pattern.globBraces
  if (pattern.split('{').length - 1 > mostBraces)
    throwIssue(issues.GLOB_TOO_MANY_BRACES, { glob: pattern.slice(0, 40), bound: mostBraces })
  const found: string[] = []
  let ended = 0
  const left = [pattern]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const alternatives = expandFirstBraces(next)
    if (alternatives === undefined) found.push(next)
    // Counts patterns that expand to nothing as well, since nothing else limits them.
    if (alternatives === undefined || alternatives.length === 0) ended++
    else left.push(...alternatives.toReversed())
    if (ended + left.length > bound) throwIssue(issues.GLOB_TOO_WIDE, { glob: pattern.slice(0, 40), bound })
  }
  return found
}
