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
  for (const { 0: whole, 1: variable, index } of part.matchAll(
    /(?:\$\{?(?:::)?|@)(facts|trusted)(?=\[)(?:\[(?:'[^'\]]*'|"[^"\]]*")\])*/g,
  )) {
    const start = from + index
    if (column < start || column > start + whole.length) continue
    const keys: string[] = []
    let end = start + whole.indexOf('[')
    for (const [bracket] of whole.slice(whole.indexOf('[')).matchAll(/\[['"][^'"\]]*['"]\]/g)) {
      if (keys.length > 0 && column <= end) break
      keys.push(bracket.slice(2, -2))
      end += bracket.length
    }
    if (keys.length > 0) return { variable: variable as FactExpression['variable'], keys, start, end }
  }
  return undefined
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
  const keys = Array.from(chain.matchAll(/\[['"]([^'"\]]*)['"]\]/g), ([, key]) => key!)
  const length = keys.reduce((sum, key) => sum + key.length + 4, 0)
  if (length !== chain.length || !/[$@{:]$/.test(end.slice(0, start))) return undefined
  return { variable, keys, quote }
}
