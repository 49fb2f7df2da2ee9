import type { Scope } from '../../language/evaluator/scope.ts'
import type { Value } from '../../language/values/value.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { Evaluated, LookedUp } from '../provenance/evaluated.ts'
import type { Origin } from './origin.ts'

/** Follows values back to what they were made of. */
export interface Follow {
  readonly compilation: Compilation
  /** Variables, data, facts and calls that a value was made of; none for what the code says itself. */
  sources(evaluated: Evaluated): readonly Origin[]
  /** All that a value was made of; the text of the code itself, where that is nothing else. */
  leaves(evaluated: Evaluated): readonly Origin[]
  /** The origins of what the keys lead to in a value. */
  narrowed(evaluated: Evaluated, keys: readonly Value[]): readonly Origin[]
  /** The origins of a variable by its name, and of what the keys lead to in it. */
  variable(name: string, scope: Scope, keys?: readonly Value[]): readonly Origin[]
  /** The files that a lookup found its value in. */
  data(lookup: LookedUp): readonly Origin[]
}
