import { sql } from 'kysely'
import { formatJava } from '../../clojure-text.ts'
import type { Database } from '../../database/database.ts'
import type { Ast } from '../ast.ts'
import { throwInvalidQuery } from '../issues.ts'
import { tryParseTime } from '../times.ts'

/**
 * The past state that a query requests: a time in milliseconds, or a code_id. For a code_id, the
 * state of each node is that of its last catalog from this commit.
 */
export type Moment =
  | { readonly kind: 'time'; readonly time: number }
  | { readonly kind: 'code'; readonly codeId: string }

/** An abbreviated commit id. */
const abbreviated = /^[0-9a-f]{7,63}$/

/** Parses the operand of `as_of`. Throws INVALID_QUERY. */
export async function parseMoment(database: Database, asOf: Ast): Promise<Moment> {
  // Text of seven or more digits is treated as a commit id, not as a year.
  const time = typeof asOf === 'string' && abbreviated.test(asOf) ? undefined : tryParseTime(asOf)
  if (time !== undefined) return { kind: 'time', time }
  if (typeof asOf !== 'string')
    return throwInvalidQuery(`Illegal value '${formatJava(asOf)}' for as_of; expected a time or a code_id.`)
  const has = await database.all(sql`select 1 from catalogs where code_id = ${asOf} limit 1`)
  if (has.length > 0) return { kind: 'code', codeId: asOf }
  if (abbreviated.test(asOf)) {
    const known = await database.all<{ code_id: string }>(
      sql`select distinct code_id from catalogs where code_id >= ${asOf} and code_id < ${`${asOf}g`} limit 2`,
    )
    if (known.length === 1) return { kind: 'code', codeId: known[0]!.code_id }
    if (known.length > 1) return throwInvalidQuery(`Several code_ids begin with '${asOf}'.`)
  }
  return throwInvalidQuery(`'${asOf}' is neither a time nor the code_id of a stored catalog.`)
}
