import { sql } from 'kysely'
import type { Field } from '../entity.ts'

/** A text column. */
export const text = (column: string): Field => ({ type: 'string', sql: sql.ref(column) })

/** A time column. */
export const time = (column: string): Field => ({ type: 'timestamp', sql: sql.ref(column), reading: 'time' })

/** A boolean column. */
export const flag = (column: string): Field => ({ type: 'boolean', sql: sql.ref(column), reading: 'boolean' })

/** A numeric column. */
export const number = (column: string): Field => ({ type: 'numeric', sql: sql.ref(column) })
