import { sql } from 'kysely'
import type { EntityField } from '../entity.ts'

/** A text column. */
export const createTextField = (column: string): EntityField => ({ type: 'string', sql: sql.ref(column) })

/** A time column. */
export const createTimeField = (column: string): EntityField => ({
  type: 'timestamp',
  sql: sql.ref(column),
  reading: 'time',
})

/** A boolean column. */
export const createBooleanField = (column: string): EntityField => ({
  type: 'boolean',
  sql: sql.ref(column),
  reading: 'boolean',
})

/** A numeric column. */
export const createNumberField = (column: string): EntityField => ({ type: 'numeric', sql: sql.ref(column) })
