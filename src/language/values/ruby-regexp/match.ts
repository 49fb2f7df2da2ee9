import { LRUCache } from 'lru-cache'
import { refuse } from '../argument-error.ts'
import type { Regexp } from '../regexp.ts'
import { translate } from './translate.ts'

/** What a pattern found. */
export interface Match {
  /** UTF-16 offset of the start. */
  readonly index: number
  /** The whole, then Ruby's groups; `undefined` for a group that took no part. */
  readonly groups: readonly (string | undefined)[]
  /** Named groups; the last of one name that took part wins. */
  readonly named: ReadonlyMap<string, string | undefined>
}

interface Compiled {
  readonly pattern: RegExp
  readonly groups: readonly number[]
  readonly names: ReadonlyMap<string, readonly number[]>
}

const compiled = new LRUCache<string, Compiled>({ max: 2000 })

/** Whether the pattern occurs anywhere in the text. */
export function isMatch(regexp: Regexp, text: string): boolean {
  return find(regexp, text) !== undefined
}

/** The first occurrence at or after an offset. Throws RUNTIME_ERROR. */
export function find(regexp: Regexp, text: string, from = 0): Match | undefined {
  const { pattern, groups, names } = compile(regexp.source)
  pattern.lastIndex = from
  const found = pattern.exec(text)
  if (!found) return undefined
  const all = [found[0], ...groups.map((number) => found[number])]
  const named = Array.from(names, ([name, numbers]) => {
    const values = numbers.map((number) => all[number])
    return [name, values.findLast((value) => value !== undefined)] as const
  })
  return { index: found.index, groups: all, named: new Map(named) }
}

/** Every occurrence, none overlapping another, from the left. */
export function findAll(regexp: Regexp, text: string): Match[] {
  const all: Match[] = []
  for (let from = 0; from <= text.length; ) {
    const match = find(regexp, text, from)
    if (!match) break
    all.push(match)
    const length = match.groups[0]!.length
    from = match.index + (length || ((text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1))
  }
  return all
}

/** Throws RUNTIME_ERROR when the pattern is wrong. */
export function checkRegexp(source: string): void {
  compile(source)
}

function compile(source: string): Compiled {
  const known = compiled.get(source)
  if (known) return known
  const { pattern, ignoreCase, groups, names } = translate(source)
  const fresh = { pattern: inJavaScript(source, pattern, ignoreCase), groups, names }
  compiled.set(source, fresh)
  return fresh
}

/** What the translation let through and JavaScript does not take is refused like what Ruby does not take. */
function inJavaScript(source: string, pattern: string, ignoreCase: boolean): RegExp {
  try {
    return new RegExp(pattern, ignoreCase ? 'gvi' : 'gv')
  } catch (error) {
    return refuse(`${(error as Error).message.replace(/^.*: /s, '')}: /${source}/`)
  }
}
