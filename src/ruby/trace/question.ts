import type { Json } from '../../base/json/wire.ts'

/** A question that work asked of the world outside of it: plain data, the same in each catalog that asks it. */
export interface Question {
  readonly kind: string
  readonly args: readonly Json[]
}

/** Something that work does beside giving a result: plain data of a kind, done again when the result is recalled. */
export interface Effect {
  readonly kind: string
  readonly args: readonly Json[]
}

/** All that the engine has to know of the questions of one kind. `Asker` is for whom work is done now. */
export interface QuestionKind<Asker> {
  /** The answer as it would be now, in a form that is equal for equal answers; `undefined` where none can be compared. */
  answer(asker: Asker, args: readonly Json[]): string | undefined
  /** True for arguments with which the question may be asked once more: without harm, and with the same meaning. */
  repeatable(args: readonly Json[]): boolean
  /** True for questions whose first argument is the number of a scope. A trace names the role of the scope instead. */
  readonly aboutScope: boolean
  /** True for questions whose answer may take other work of this engine. That work's reads are its own; its effects spoil. */
  readonly reenters: boolean
}

/** All that the engine has to know of the effects of one kind. */
export interface EffectKind<Asker> {
  /** True for an effect that can be had now, in the place where the work would have it. */
  possible(asker: Asker, args: readonly Json[]): boolean
  again(asker: Asker, args: readonly Json[]): void
}

/** The kinds of questions that the user of the engine has, by name. */
export type QuestionKinds<Asker> = Readonly<Record<string, QuestionKind<Asker>>>
/** The kinds of effects that the user of the engine has, by name. */
export type EffectKinds<Asker> = Readonly<Record<string, EffectKind<Asker>>>

/** The role of a scope in the work, by its number; `undefined` for a scope that is a stranger to the work. */
export type Roles = (scope: Json) => string | undefined
