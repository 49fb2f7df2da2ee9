import { getStartLine, type SourceSpan } from '../../base/source.ts'

/** Kinds of origins of a value. */
export type OriginKind =
  // Origins of a parameter: the statement or source that set it
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
  // Origins of an expression's value: the parts of the expression
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

/** An origin of a value: its location in the code, and the origins of the values it was computed from. */
export interface Origin {
  readonly kind: OriginKind
  /** Name of the variable, key, fact or file: `$text`, `motd::text`, `os.family`, `motd/motd.epp`. */
  readonly name: string
  readonly file?: string | undefined
  readonly line?: number | undefined
  /** The hierarchy level of a data value, the file of a template, or the value of a fact. */
  readonly detail?: string | undefined
  readonly from: readonly Origin[]
}

/** A statement that led to the declaration of a resource. */
export interface ExplanationFrame {
  readonly kind: 'declared' | 'call' | 'condition' | 'inherited' | 'classified' | 'exported' | 'collected'
  /** The declared resource or the called function. */
  readonly name: string
  readonly file?: string | undefined
  readonly line?: number | undefined
  /** The class, node or resource whose code contains the statement. */
  readonly within?: string | undefined
  readonly from: readonly Origin[]
}

/** Returns the file and line of a span, as in messages. */
export function getSpanPlace(span: SourceSpan | undefined): {
  readonly file: string | undefined
  readonly line: number | undefined
} {
  return { file: span?.source.file, line: span?.source.file === undefined ? undefined : getStartLine(span) }
}

/** Removes duplicate origins. */
export function removeDuplicateOrigins(origins: readonly Origin[]): readonly Origin[] {
  const known = new Map(
    origins.map((each) => [`${each.kind} ${each.name} ${each.file} ${each.line} ${each.detail}`, each]),
  )
  return known.size === origins.length ? origins : [...known.values()]
}
