import type { Json } from '../../base/json/json-checks.ts'

/** A query that an evaluation sends to its host, as plain data that is the same in each catalog. */
export interface TraceQuestion {
  readonly kind: string
  readonly args: readonly Json[]
}

/** A side effect of an evaluation, as plain data; repeated when the result is recalled. */
export interface TraceEffect {
  readonly kind: string
  readonly args: readonly Json[]
}

/** Properties of one kind of query. `Asker` is the context of the evaluation. */
export interface QuestionKind<Asker> {
  /**
   * Returns the current reply, in a form that is equal for equal replies; `undefined` if it cannot
   * be compared.
   */
  answer(asker: Asker, args: readonly Json[]): string | undefined
  /**
   * Returns true if the query with these arguments can be repeated without side effects and with
   * the same meaning.
   */
  repeatable(args: readonly Json[]): boolean
  /**
   * True if the first argument is the number of a scope. A trace contains the scope's name instead, such as `own`
   * or `top`.
   */
  readonly aboutScope: boolean
  /**
   * True if finding the reply may run other evaluations, which record their own queries. If they have side effects,
   * the outer trace cannot be recalled.
   */
  readonly reenters: boolean
}

/** Properties of one kind of effect. */
export interface EffectKind<Asker> {
  /** Returns true if the effect can be repeated in the caller's context. */
  possible(asker: Asker, args: readonly Json[]): boolean
  again(asker: Asker, args: readonly Json[]): void
}

/** Kinds of queries by name, defined by the user of the engine. */
export type QuestionKinds<Asker> = Readonly<Record<string, QuestionKind<Asker>>>
/** Kinds of effects by name, defined by the user of the engine. */
export type EffectKinds<Asker> = Readonly<Record<string, EffectKind<Asker>>>

/**
 * Returns the name in traces of the scope with this number: `own` for the scope of the call, `top` for the top
 * scope; `undefined` for other scopes.
 */
export type Roles = (scope: Json) => string | undefined
