import { sql } from 'kysely'
import type { Sql } from './entity.ts'
import { throwInvalidQuery } from './issues.ts'

/**
 * Formats an integer like PostgreSQL's `to_char`, for use in SQLite. Supports formats of digits,
 * such as `999` and `FM0009`. Throws INVALID_QUERY.
 */
export function buildIntegerFormatSql(value: Sql, format: string): Sql {
  const parts = /^(FM)?([09]{1,18})$/.exec(format)
  if (!parts) return throwInvalidQuery(`SQLite supports only 9 and 0 in integer formats, not '${format}'`)
  const [, bare, digits = ''] = parts
  const zeros = digits.includes('0') ? digits.length - digits.indexOf('0') : 1
  const sign = bare
    ? sql`(case when ${value} < 0 then '-' else '' end)`
    : sql`(case when ${value} < 0 then '-' else ' ' end)`
  const shown = sql`(${sign} || printf(${sql.lit(`%0${zeros}d`)}, abs(${value})))`
  const filled = bare ? shown : sql`printf(${sql.lit(`%${digits.length + 1}s`)}, ${shown})`
  const beyond = sql`(${sign} || ${sql.lit('#'.repeat(digits.length))})`
  return sql`(case when ${value} is null then null when length(abs(${value})) > ${sql.lit(digits.length)} then ${beyond} else ${filled} end)`
}
