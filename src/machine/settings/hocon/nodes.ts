import type { SourceSpan } from '../../../base/source.ts'

/** A HOCON value as written. */
export type HoconNode = HoconScalar | HoconObject | HoconArray | Substitution | Concatenation

/** `true`, `12`, `"text"`, or an unquoted string. */
export interface HoconScalar {
  readonly kind: 'scalar'
  readonly value: null | boolean | number | string
  /** The scalar as written in the source, for concatenations. */
  readonly text: string
  /** True if the scalar is the whitespace between two parts of a concatenation. */
  readonly blank: boolean
}

/** An object: `{ a.b = 1, c += 2 }` */
export interface HoconObject {
  readonly kind: 'object'
  readonly fields: readonly HoconField[]
}

/** A field: `a.b = 1` */
export interface HoconField {
  readonly path: readonly string[]
  readonly value: HoconNode
  /** Position of the path. */
  readonly span: SourceSpan
}

/** An array: `[1, 2]` */
export interface HoconArray {
  readonly kind: 'array'
  readonly items: readonly HoconNode[]
}

/** A substitution: `${a.b}`, or `${?a.b}` if the value is optional. */
export interface Substitution {
  readonly kind: 'substitution'
  readonly path: readonly string[]
  readonly optional: boolean
  readonly span: SourceSpan
}

/** Adjacent values: texts are joined, objects merged, arrays appended. */
export interface Concatenation {
  readonly kind: 'concatenation'
  readonly parts: readonly HoconNode[]
  readonly span: SourceSpan
}
