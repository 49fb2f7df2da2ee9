import type { ExactJson } from '../../../base/json/exact-json.ts'
import { isExactObject } from '../../../base/json/exact-json.ts'
import { getOwnValue } from '../../../base/own-property.ts'
import type { ChosenNode } from './chosen-node.ts'

/** A use of a fact in a line, such as `$facts['os']['family']`. */
export interface FactExpression {
  readonly variable: 'facts' | 'trusted'
  readonly keys: readonly string[]
  /** Offset of the first character in the line. */
  readonly start: number
  /** Offset after the last of `keys`. */
  readonly end: number
}

/** Largest number of characters around a position that are searched for a fact. */
const searchedCharacters = 2000

/** The fact at a column of a line: the keys end with the one at the column. `@facts` is the same variable in ERB. */
export function findFactAt(line: string, column: number): FactExpression | undefined {
  const from = Math.max(0, column - searchedCharacters)
  const part = line.slice(from, column + searchedCharacters)
  for (const { 0: name, 1: variable, index } of part.matchAll(/(facts|trusted)\[/g)) {
    if (!isVariable(part.slice(Math.max(0, index - sigilCharacters), index))) continue
    const first = index + name.length - 1
    const found = readKeys(part, first, column - from)
    if (found.keys.length === 0 || column - from < index - 1 || column - from > found.end) continue
    const start = from + part.lastIndexOf(part[index - 1] === '@' ? '@' : '$', index)
    return { variable: variable as FactExpression['variable'], keys: found.keys, start, end: from + found.end }
  }
  return undefined
}

/** Length of the longest text before the name of a variable: `${::`. */
const sigilCharacters = 4

function isVariable(before: string): boolean {
  return ['$', '${', '$::', '${::', '@'].some((sigil) => before.endsWith(sigil))
}

const keyPattern = /\[(?:'([^'\]]*)'|"([^"\]]*)")\]/y

/** The keys from an offset to the one at a column. */
function readKeys(text: string, start: number, column: number): { readonly keys: string[]; readonly end: number } {
  const keys: string[] = []
  let end = start
  while (keys.length === 0 || column > end) {
    keyPattern.lastIndex = end
    const found = keyPattern.exec(text)
    if (!found) break
    keys.push(found[1] ?? found[2] ?? '')
    end += found[0].length
  }
  return { keys, end }
}

/** The value of a fact; undefined if the node has no such fact. */
export function readFact(
  { facts, trusted }: ChosenNode,
  { variable, keys }: Pick<FactExpression, 'variable' | 'keys'>,
): ExactJson | undefined {
  let at: ExactJson | undefined = { ...(variable === 'facts' ? facts : trusted) } as ExactJson
  for (const key of keys) {
    if (Array.isArray(at)) at = /^\d+$/.test(key) ? (at as readonly ExactJson[])[Number(key)] : undefined
    else at = isExactObject(at ?? null) ? getOwnValue(at as Readonly<Record<string, ExactJson>>, key) : undefined
    if (at === undefined) return undefined
  }
  return at
}

/** An unfinished key at the end of code, such as `$facts['os']['fa`. */
export interface OpenFactKey extends Pick<FactExpression, 'variable' | 'keys'> {
  /** The quote before the key; empty without one. */
  readonly quote: string
}

/** Reads an unfinished key of a fact at the end of a line. */
export function readOpenFactKey(line: string): OpenFactKey | undefined {
  const end = line.slice(-searchedCharacters)
  const open = end.lastIndexOf('[')
  const [, quote] = /^\[(['"]?)\w*$/.exec(end.slice(open)) ?? []
  const start = Math.max(end.lastIndexOf('facts['), end.lastIndexOf('trusted['))
  if (open === -1 || quote === undefined || start === -1) return undefined
  const variable = end.startsWith('facts', start) ? 'facts' : 'trusted'
  const chain = end.slice(start + variable.length, open)
  const { keys, end: length } = readKeys(chain, 0, chain.length)
  if (length !== chain.length || !isVariable(end.slice(Math.max(0, start - sigilCharacters), start))) return undefined
  return { variable, keys, quote }
}
