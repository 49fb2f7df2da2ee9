import type { EntityField, FieldType } from './entity.ts'

/** Uses of a field in a query; the type of the field determines which uses are allowed. */
export type FieldUse =
  /** The operators `<`, `>`, `<=` and `>=`. */
  | 'order'
  /** The operator `~`. */
  | 'pattern'
  /** The operator `~>`. */
  | 'pathPattern'
  /** The operator `in` with an array of values. */
  | 'list'
  /** The functions `sum` and `avg`. */
  | 'sum'
  /** The functions `min` and `max`. */
  | 'extremes'
  /** The function `jsonb_typeof`. */
  | 'typeName'
  /** The function `to_string`. */
  | 'format'

/**
 * Field types as stored: a field of PuppetDB's type `string` may be stored as a time or a boolean.
 */
type ColumnType = FieldType | 'stored time' | 'stored boolean'

const uses: Readonly<Record<ColumnType, readonly FieldUse[]>> = {
  string: ['pattern', 'list', 'extremes'],
  'stored time': ['list', 'extremes', 'format'],
  'stored boolean': ['list'],
  boolean: ['list'],
  numeric: ['order', 'list', 'sum', 'extremes', 'format'],
  timestamp: ['order', 'list', 'extremes', 'format'],
  'jsonb-scalar': ['order', 'pattern', 'list', 'sum', 'extremes', 'typeName'],
  'queryable-json': ['pattern', 'list', 'typeName'],
  array: ['pattern'],
  'encoded-path': ['pattern', 'pathPattern', 'list'],
  'path-array': ['pattern', 'pathPattern', 'list'],
  json: [],
}

/** True if the type of a field permits a use. */
export function isUsePermitted({ type, reading }: EntityField, use: FieldUse): boolean {
  return uses[type === 'string' ? getStringColumnType(reading) : type].includes(use)
}

function getStringColumnType(reading: EntityField['reading']): ColumnType {
  if (reading === 'time') return 'stored time'
  return reading === 'boolean' ? 'stored boolean' : 'string'
}
