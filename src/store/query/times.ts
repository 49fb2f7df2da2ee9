import { javaText } from '../clojure-text.ts'
import { looseTime } from '../commands/wire-time.ts'
import type { Ast } from './ast.ts'
import { refuse } from './issues.ts'

/** Parses a time in a query to milliseconds since 1970. Throws INVALID_QUERY. */
export function timeOf(value: Ast): number {
  const time = parsedTime(value)
  return time === undefined ? refuse(`'${javaText(value)}' is not a valid timestamp value`) : time
}

/** Parses a time in any format that commands may use; `undefined` if invalid. */
export function parsedTime(value: Ast): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined
  const time = typeof value === 'string' ? looseTime(value) : undefined
  return time === undefined ? undefined : Date.parse(time)
}
