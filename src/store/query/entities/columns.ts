import { sql } from 'kysely'
import type { Field } from '../entity.ts'

/** A column of texts. */
export const text = (column: string): Field => ({ type: 'string', sql: sql.ref(column) })

/** A column of times. */
export const time = (column: string): Field => ({ type: 'timestamp', sql: sql.ref(column), reading: 'time' })

/** A column of booleans. */
export const flag = (column: string): Field => ({ type: 'boolean', sql: sql.ref(column), reading: 'boolean' })

/** A column of numbers. */
export const number = (column: string): Field => ({ type: 'numeric', sql: sql.ref(column) })
