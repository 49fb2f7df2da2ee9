import type { Scope } from '../../language/evaluator/scope.ts'
import type { Value } from '../../language/values/value.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { Evaluated, LookedUp } from '../provenance/evaluated.ts'
import type { Origin } from './origin.ts'

/** Traces values to their origins. */
export interface Follow {
  readonly compilation: Compilation
  /** Returns the variables, data, facts and calls that contributed to a value; empty for a literal. */
  sources(evaluated: Evaluated): readonly Origin[]
  /** Returns all origins of a value; for a literal, its location in the code. */
  leaves(evaluated: Evaluated): readonly Origin[]
  /** Returns the origins of the element at the path `keys` in a value. */
  narrowed(evaluated: Evaluated, keys: readonly Value[]): readonly Origin[]
  /** Returns the origins of a variable, or of the element at the path `keys` in the variable's value. */
  variable(name: string, scope: Scope, keys?: readonly Value[]): readonly Origin[]
  /** Returns the files in which a lookup found its value. */
  data(lookup: LookedUp): readonly Origin[]
}
