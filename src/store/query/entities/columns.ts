import { sql } from 'kysely'
import type { EntityField } from '../entity.ts'

/** Creates a field for a text column. */
export const createTextField = (column: string): EntityField => ({ type: 'string', sql: sql.ref(column) })

/** Creates a field for a time column. */
export const createTimeField = (column: string): EntityField => ({
  type: 'timestamp',
  sql: sql.ref(column),
  reading: 'time',
})

/** Creates a field for a boolean column. */
export const createBooleanField = (column: string): EntityField => ({
  type: 'boolean',
  sql: sql.ref(column),
  reading: 'boolean',
})

/** Creates a field for a numeric column. */
export const createNumberField = (column: string): EntityField => ({ type: 'numeric', sql: sql.ref(column) })
