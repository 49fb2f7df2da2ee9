import { fail } from '../../base/issue.ts'
import { functionIssues } from '../../language/functions/definition/issues.ts'
import { type GeneratedTexts, keyOfCommand } from '../request/generated-texts.ts'

/** Cached output of `generate()`, and the commit it belongs to. */
export interface Generators {
  readonly texts: GeneratedTexts
  /** The compiled commit; `undefined` for a folder, whose cached output is valid for one catalog only. */
  readonly commit: string | undefined
}

/**
 * `generate()` for the programs that the operator allows. Each command line runs once per commit,
 * or once per catalog of a folder; a failed program runs again. Throws GENERATE_NOT_ALLOWED.
 */
export function generatorsOf(allowed: readonly string[], { texts, commit }: Generators) {
  return (command: readonly string[]): string => {
    const [program = ''] = command
    if (!allowed.includes(program)) fail(functionIssues.GENERATE_NOT_ALLOWED, { program })
    return texts.textOf(command, commit === undefined ? undefined : keyOfCommand(commit, command))
  }
}
