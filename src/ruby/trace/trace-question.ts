import type { Json } from '../../base/json/json-checks.ts'

/** A query that work sends to the outside, as plain data, equal in each catalog. */
export interface TraceQuestion {
  readonly kind: string
  readonly args: readonly Json[]
}

/** A side effect of work, as plain data; repeated when the result is recalled. */
export interface TraceEffect {
  readonly kind: string
  readonly args: readonly Json[]
}

/** Properties of one kind of query. `Asker` is the caller of the work. */
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
  /** True if the first argument is the number of a scope. A trace contains the role of the scope instead. */
  readonly aboutScope: boolean
  /**
   * True if the reply may run other work of this engine, which records its own reads; its effects
   * spoil the outer trace.
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

/** Returns the role of a scope, given its number; `undefined` for a scope unrelated to the work. */
export type Roles = (scope: Json) => string | undefined
