import type { Field, FieldType } from './entity.ts'

/** Uses of a field in a query that depend on its type. */
export type Use =
  /** `<`, `>`, `<=` and `>=`. */
  | 'order'
  /** `~`. */
  | 'pattern'
  /** `~>`. */
  | 'pathPattern'
  /** `in` with an array of values. */
  | 'list'
  /** `sum` and `avg`. */
  | 'sum'
  /** `min` and `max`. */
  | 'extremes'
  /** `jsonb_typeof`. */
  | 'typeName'
  /** `to_string`. */
  | 'format'

/** Types of columns: times and booleans may have columns of their own, whatever their type in PuppetDB. */
type ColumnType = FieldType | 'stored time' | 'stored boolean'

const uses: Readonly<Record<ColumnType, readonly Use[]>> = {
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
export function permits({ type, reading }: Field, use: Use): boolean {
  return uses[type === 'string' ? stringColumn(reading) : type].includes(use)
}

function stringColumn(reading: Field['reading']): ColumnType {
  if (reading === 'time') return 'stored time'
  return reading === 'boolean' ? 'stored boolean' : 'string'
}
