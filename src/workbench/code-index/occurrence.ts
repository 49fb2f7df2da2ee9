import type { SourceSpan } from '../../base/source.ts'

/** Kinds of names in Puppet code. */
export type NameKind =
  | 'class'
  /** A resource type or a defined type. */
  | 'resource type'
  /** An attribute of a resource or a class; its name is `TYPE#ATTRIBUTE`, for a class `class:NAME#ATTRIBUTE`. */
  | 'attribute'
  | 'function'
  /** A type alias, or another data type. */
  | 'data type'
  /** A variable: `::facts`, `a::b::x` of a class, or a local one, `x@OFFSET`, with the offset of its scope. */
  | 'variable'

/** The name of a variable without its class or scope: `x` for `a::b::x` and `x@12`. */
export function getPlainVariableName(name: string): string {
  return name.replace(/@\d+$/, '').split('::').at(-1)!
}

/** A place where code defines or uses a name. */
export interface Occurrence {
  readonly kind: NameKind
  /** Full name in lower case, without a leading `::`. */
  readonly name: string
  /** The name in the text, without sigil and quotes. */
  readonly span: SourceSpan
  readonly isDefinition: boolean
  /** The class that may define an unqualified variable, since the class around it inherits that one. */
  readonly parentClass?: string | undefined
}
