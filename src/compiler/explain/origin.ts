import { lineOf, type Span } from '../../base/source.ts'

/** Kinds of origins of a value. */
export type OriginKind =
  // Who set the parameter
  | 'attribute'
  | 'attributes from a hash'
  | 'default of the expression'
  | 'resource default'
  | 'override'
  | 'override by a collector'
  | 'replaced'
  | 'added to'
  | 'data'
  | 'parameter default'
  | 'container'
  | 'statement'
  | 'classification'
  | 'export'
  | 'title'
  | 'type default'
  // What the expression was made of
  | 'literal'
  | 'variable'
  | 'parameter'
  | 'argument'
  | 'fact'
  | 'trusted'
  | 'server fact'
  | 'node parameter'
  | 'setting'
  | 'condition'
  | 'function'
  | 'template'
  | 'file'
  | 'lookup default'
  | 'match'
  | 'resource parameter'
  | 'more'

/** A place of a value's making, and what was used there. */
export interface Origin {
  readonly kind: OriginKind
  /** `$text`, `motd::text`, `os.family`, `motd/motd.epp` */
  readonly name: string
  readonly file?: string | undefined
  readonly line?: number | undefined
  /** The level of data, the file of a template, the value of a fact. */
  readonly detail?: string | undefined
  readonly from: readonly Origin[]
}

/** Statements that led to a resource, from the inside out. */
export interface Frame {
  readonly kind: 'declared' | 'call' | 'condition' | 'inherited' | 'classified' | 'exported' | 'collected'
  /** The resource that was declared, the function that was called. */
  readonly name: string
  readonly file?: string | undefined
  readonly line?: number | undefined
  /** The class, node or resource whose code it is. */
  readonly within?: string | undefined
  readonly from: readonly Origin[]
}

/** File and line of a span, as messages say them. */
export function placeAt(span: Span | undefined): {
  readonly file: string | undefined
  readonly line: number | undefined
} {
  return { file: span?.source.file, line: span?.source.file === undefined ? undefined : lineOf(span) }
}

/** Each origin once. */
export function unique(origins: readonly Origin[]): readonly Origin[] {
  const known = new Map(
    origins.map((each) => [`${each.kind} ${each.name} ${each.file} ${each.line} ${each.detail}`, each]),
  )
  return known.size === origins.length ? origins : [...known.values()]
}
