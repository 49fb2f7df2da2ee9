import { LRUCache } from 'lru-cache'
import { requireUtf8 } from '../argument-error.ts'
import { requireBoundedCount } from '../size-limits.ts'
import { type RubyMatch, requireEngine } from './engine.ts'
import { writePattern } from './javascript-pattern.ts'
import type { Pattern } from './nodes.ts'
import { parsePattern } from './parse.ts'
import { Untranslatable } from './reader.ts'
import { checkFaithfulness } from './ruby-compatibility.ts'

/** An object with a regular expression's source. */
interface Source {
  readonly source: string
}

/** A match of a pattern in a text. */
export interface RegexpMatch {
  /** UTF-16 offset of the start. */
  readonly index: number
  /** The whole match, then Ruby's groups; `undefined` for a group that did not match. */
  readonly groups: readonly (string | undefined)[]
  /** Text of each named group. If several groups have the same name, the last one that matched counts. */
  readonly named: ReadonlyMap<string, string | undefined>
}

/** A pattern that JavaScript matches as Ruby does. */
interface Translation {
  readonly pattern: Pattern
  /**
   * True if JavaScript finds the same groups as Ruby; otherwise Ruby's engine supplies the groups
   * of a match.
   */
  readonly sameGroups: boolean
  /** The program for ASCII strings; compiled on first use. */
  ascii?: Program
  unicode?: Program
}

interface Program {
  readonly regexp: RegExp
  readonly groups: readonly number[]
}

const known = new LRUCache<string, Translation | 'untranslatable'>({ max: 2000 })

/** True if the pattern matches anywhere in the text. */
export function isMatch({ source }: Source, text: string): boolean {
  const found = matchInJavaScript(source, text, 0)
  return found === 'untranslatable' ? matchInRuby(source, text, 0, 'first').length > 0 : found !== undefined
}

/** Finds the first match at or after an offset. Throws RUNTIME_ERROR. */
export function findMatch({ source }: Source, text: string, from = 0): RegexpMatch | undefined {
  const occurrence = matchInJavaScript(source, text, from)
  if (occurrence === 'untranslatable') return matchInRuby(source, text, from, 'first')[0]
  if (!occurrence) return undefined
  return occurrence.translation.sameGroups
    ? toMatch(occurrence)
    : createRubyMatch(source, text, from, occurrence.found.index)
}

/** Creates a match whose groups Ruby's engine finds on first access, because most callers never read them. */
function createRubyMatch(source: string, text: string, from: number, index: number): RegexpMatch {
  let known: RegexpMatch | undefined
  const loadMatch = () => {
    known ??= matchInRuby(source, text, from, 'first')[0]!
    return known
  }
  return {
    index,
    get groups() {
      return loadMatch().groups
    },
    get named() {
      return loadMatch().named
    },
  }
}

/** Finds all non-overlapping matches from the left. */
export function findAllMatches({ source }: Source, text: string): RegexpMatch[] {
  const all: RegexpMatch[] = []
  for (let from = 0; from <= text.length; ) {
    const occurrence = matchInJavaScript(source, text, from)
    if (occurrence === 'untranslatable' || occurrence?.translation.sameGroups === false)
      return matchInRuby(source, text, 0, 'all')
    if (!occurrence) break
    const match = toMatch(occurrence)
    requireBoundedCount(all.push(match))
    const length = match.groups[0]!.length
    from = match.index + (length || ((text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1))
  }
  return all
}

/** Throws RUNTIME_ERROR if the pattern is invalid. */
export function checkRegexp(source: string): void {
  if (getTranslation(source) === 'untranslatable') requireEngine(source).check(source)
}

/** A match found by JavaScript. */
interface Occurrence {
  readonly found: RegExpExecArray
  readonly program: Program
  readonly translation: Translation
}

function matchInJavaScript(source: string, text: string, from: number): Occurrence | undefined | 'untranslatable' {
  const translation = getTranslation(source)
  const program = translation === 'untranslatable' ? translation : getProgram(translation, text)
  if (translation === 'untranslatable' || program === 'untranslatable') return 'untranslatable'
  program.regexp.lastIndex = from
  const found = executeRegexp(program.regexp, text)
  return typeof found === 'object' ? { found, program, translation } : found
}

function toMatch({ found, program, translation }: Occurrence): RegexpMatch {
  const groups: (string | undefined)[] = [found[0]]
  for (const number of program.groups) groups.push(found[number])
  const { names } = translation.pattern
  return { index: found.index, groups, named: names.size === 0 ? unnamed : collectNamedGroups(groups, names) }
}

const unnamed: RegexpMatch['named'] = new Map()

function collectNamedGroups(groups: RegexpMatch['groups'], names: Pattern['names']): RegexpMatch['named'] {
  const named = new Map<string, string | undefined>()
  for (const [name, numbers] of names)
    named.set(
      name,
      numbers.map((number) => groups[number]).findLast((value) => value !== undefined),
    )
  return named
}

/**
 * Runs a JavaScript pattern and ignores matches inside a surrogate pair. Returns `untranslatable` if the pattern is too
 * large for JavaScript.
 */
function executeRegexp(regexp: RegExp, text: string): RegExpExecArray | undefined | 'untranslatable' {
  try {
    let found = regexp.exec(text)
    while (found && text.codePointAt(found.index - 1)! > 0xffff) {
      regexp.lastIndex = found.index + 1
      found = regexp.exec(text)
    }
    return found ?? undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return 'untranslatable'
    throw error
  }
}

function getTranslation(source: string): Translation | 'untranslatable' {
  const translation = known.get(source)
  if (translation) return translation
  const made = translatePattern(source)
  known.set(source, made)
  return made
}

function translatePattern(source: string): Translation | 'untranslatable' {
  try {
    const pattern = parsePattern(source)
    const { place, groups } = checkFaithfulness(pattern)
    return place ? { pattern, sameGroups: groups } : 'untranslatable'
  } catch (error) {
    if (error instanceof Untranslatable) return 'untranslatable'
    throw error
  }
}

function getProgram(translation: Translation, text: string): Program | 'untranslatable' {
  const reach = isAscii(text) ? 'ascii' : 'unicode'
  if (reach === 'unicode') requireUtf8(text)
  if (reach === 'unicode' && translation.pattern.ignoresCase) return 'untranslatable'
  translation[reach] ??= compileProgram(translation.pattern, reach)
  return translation[reach]
}

function compileProgram(pattern: Pattern, reach: 'ascii' | 'unicode'): Program {
  const { text, groups } = writePattern(pattern, reach)
  return { regexp: new RegExp(text, reach === 'ascii' ? 'g' : 'gv'), groups }
}

function isAscii(text: string): boolean {
  return /^[\x00-\x7f]*$/.test(text)
}

function matchInRuby(source: string, text: string, from: number, how: 'first' | 'all'): RegexpMatch[] {
  return requireEngine(source)
    .search(source, text, countCodePoints(text, from), how)
    .map((match) => fromRubyMatch(match, text))
}

function fromRubyMatch([index, groups, named]: RubyMatch, text: string): RegexpMatch {
  return {
    index: toOffset(text, index),
    groups: groups.map((group) => group ?? undefined),
    named: new Map(named.map(([name, found]) => [name, found ?? undefined])),
  }
}

/** Number of code points before a UTF-16 offset. */
function countCodePoints(text: string, offset: number): number {
  let count = 0
  for (let at = 0; at < offset; at += text.codePointAt(at)! > 0xffff ? 2 : 1) count++
  return count
}

/** UTF-16 offset of a code point. */
function toOffset(text: string, codePoint: number): number {
  let at = 0
  for (let count = 0; count < codePoint; count++) at += text.codePointAt(at)! > 0xffff ? 2 : 1
  return at
}
