import { fail } from '../../base/issue.ts'
import { functionIssues } from '../../language/functions/definition/issues.ts'
import type { Host } from '../../language/host.ts'
import { type GeneratedTexts, keyOfCommand } from '../request/generated-texts.ts'

/** Remembered texts of `generate()`, and the commit for which they hold. */
interface Memory {
  readonly texts: GeneratedTexts
  /** The commit that is compiled; `undefined` for a folder, whose texts are one catalog's. */
  readonly commit: string | undefined
}

/**
 * `generate()` with the programs that the operator allows; each is run once for the same words in one commit, or in one
 * catalog of a folder. A program that fails is run again. `undefined` where no program is allowed.
 */
export function generatorsOf(allowed: readonly string[], { texts, commit }: Memory): Host['generate'] {
  if (allowed.length === 0) return undefined
  const ofCatalog = new Map<string, string>()
  const answerTo = (command: readonly string[]): string => {
    const [program = ''] = command
    if (!allowed.includes(program)) fail(functionIssues.GENERATE_NOT_ALLOWED, { program })
    return texts.textOf(command, commit === undefined ? undefined : keyOfCommand(commit, command))
  }
  return (command) => {
    const words = JSON.stringify(command)
    const text = ofCatalog.get(words) ?? answerTo(command)
    ofCatalog.set(words, text)
    return text
  }
}
