import { formatJava } from '../clojure-text.ts'
import { parseLooseTime } from '../commands/wire-time.ts'
import type { Ast } from './ast.ts'
import { throwInvalidQuery } from './issues.ts'

/** Parses a time in a query to milliseconds since 1970. Throws INVALID_QUERY. */
export function parseQueryTime(value: Ast): number {
  const time = tryParseTime(value)
  return time === undefined ? throwInvalidQuery(`'${formatJava(value)}' is not a valid timestamp value`) : time
}

/** Parses a time in any format that commands may use; `undefined` if invalid. */
export function tryParseTime(value: Ast): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined
  const time = typeof value === 'string' ? parseLooseTime(value) : undefined
  return time === undefined ? undefined : Date.parse(time)
}
