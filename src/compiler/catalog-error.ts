import { inOneLine, PuppetError } from '../base/issue.ts'
import { validationErrorIn } from '../language/validation/validation-error.ts'
import type { CompileLog } from './compile-request.ts'
import { illegalJump } from './illegal-jump.ts'
import { issues } from './issues.ts'
import { diagnosticLog } from './log-line.ts'

/**
 * Why a catalog could not be made; its message ends with the node's name, as that of Puppet's compiler does, and not what
 * is said when a catalog is stored.
 */
export class CatalogError extends PuppetError {
  /** What had been said until then. */
  readonly logs: readonly CompileLog[]

  constructor(error: PuppetError, node: string, logs: readonly CompileLog[]) {
    super(error.diagnostic, { cause: error })
    const isStoring = error.diagnostic.code === issues.INVALID_RELATIONSHIP.code
    this.message = `${inOneLine(error.diagnostic)}${isStoring ? '' : ` on node ${node}`}`
    this.logs = logs
  }
}

/** What to throw for what stopped a compilation, with all that had been said; a bug of ours is thrown on. */
export function catalogError(thrown: unknown, node: string, logs: readonly CompileLog[]): unknown {
  const error = thrown instanceof PuppetError ? thrown : illegalJump(thrown)
  if (!error) return thrown
  const said = validationErrorIn(error)?.said ?? []
  return new CatalogError(error, node, [...logs, ...said.map(diagnosticLog)])
}
