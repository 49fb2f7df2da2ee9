import type { Span } from '../../../base/source.ts'

/** A HOCON value as written. */
export type HoconNode = Scalar | HoconObject | HoconArray | Substitution | Concatenation

/** `true`, `12`, `"text"`, or bare words. */
export interface Scalar {
  readonly kind: 'scalar'
  readonly value: null | boolean | number | string
  /** The scalar as written, for concatenations. */
  readonly text: string
  /** Blanks between two parts of a concatenation. */
  readonly blank: boolean
}

/** `{ a.b = 1, c += 2 }` */
export interface HoconObject {
  readonly kind: 'object'
  readonly fields: readonly Field[]
}

/** `a.b = 1` */
export interface Field {
  readonly path: readonly string[]
  readonly value: HoconNode
  /** The place of its path. */
  readonly span: Span
}

/** `[1, 2]` */
export interface HoconArray {
  readonly kind: 'array'
  readonly items: readonly HoconNode[]
}

/** `${a.b}`, or `${?a.b}` which may be missing. */
export interface Substitution {
  readonly kind: 'substitution'
  readonly path: readonly string[]
  readonly optional: boolean
  readonly span: Span
}

/** Values side by side: texts are joined, objects merged, arrays appended. */
export interface Concatenation {
  readonly kind: 'concatenation'
  readonly parts: readonly HoconNode[]
  readonly span: Span
}
