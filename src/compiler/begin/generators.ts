import { throwIssue } from '../../base/issue.ts'
import { functionIssues } from '../../language/functions/definition/issues.ts'
import { computeCommandKey, type GeneratorCache } from '../request/generator-cache.ts'

/** Cached output of `generate()`, with the commit of the code that calls it. */
export interface Generators {
  readonly texts: GeneratorCache
  /**
   * The commit being compiled; `undefined` if the code is in a plain folder, for which output is cached during one
   * catalog only.
   */
  readonly commit: string | undefined
}

/**
 * Returns the implementation of `generate()` for the allowed programs. Each command line runs once per commit; for code
 * in a plain folder, once per catalog. A failed program runs again at the next call. Throws GENERATE_NOT_ALLOWED.
 */
export function createGenerators(allowed: readonly string[], { texts, commit }: Generators) {
  return (command: readonly string[]): string => {
    const [program = ''] = command
    if (!allowed.includes(program)) throwIssue(functionIssues.GENERATE_NOT_ALLOWED, { program })
    return texts.getOutput(command, commit === undefined ? undefined : computeCommandKey(commit, command))
  }
}
