import { fail } from '../../base/issue.ts'
import { functionIssues } from '../../language/functions/definition/issues.ts'
import { type GeneratedTexts, keyOfCommand } from '../request/generated-texts.ts'

/** Remembered texts of `generate()`, and the commit for which they hold. */
export interface Generators {
  readonly texts: GeneratedTexts
  /** The commit that is compiled; `undefined` for a folder, whose texts are one catalog's. */
  readonly commit: string | undefined
}

/**
 * `generate()` with the programs that the operator allows; each is run once for the same words in one commit, or in one
 * catalog of a folder. A program that fails is run again. Throws GENERATE_NOT_ALLOWED.
 */
export function generatorsOf(allowed: readonly string[], { texts, commit }: Generators) {
  return (command: readonly string[]): string => {
    const [program = ''] = command
    if (!allowed.includes(program)) fail(functionIssues.GENERATE_NOT_ALLOWED, { program })
    return texts.textOf(command, commit === undefined ? undefined : keyOfCommand(commit, command))
  }
}
