import type { Scope } from '../../language/evaluator/scope.ts'
import type { Value } from '../../language/values/value.ts'
import type { Compilation } from '../catalog/compilation.ts'
import type { LookupEvaluation, NodeEvaluation } from '../provenance/node-evaluation.ts'
import type { Origin } from './origin.ts'

/** Traces values to their origins. */
export interface OriginTracer {
  readonly compilation: Compilation
  /** Returns the variables, data, facts and calls that contributed to a value; empty for a literal. */
  sources(evaluated: NodeEvaluation): readonly Origin[]
  /** Returns all origins of a value; for a literal, its location in the code. */
  leaves(evaluated: NodeEvaluation): readonly Origin[]
  /** Returns the origins of the element at the path `keys` in a value. */
  narrowed(evaluated: NodeEvaluation, keys: readonly Value[]): readonly Origin[]
  /** Returns the origins of a variable, or of the element at the path `keys` in the variable's value. */
  variable(name: string, scope: Scope, keys?: readonly Value[]): readonly Origin[]
  /** Returns the files in which a lookup found its value. */
  data(lookup: LookupEvaluation): readonly Origin[]
}
