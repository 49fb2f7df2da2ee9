import { toJsonRecord } from '../../base/json/json-checks.ts'
import { semanticRules } from '../lint/checks/semantic-rules.ts'

const choices = ['none', 'errors', 'all'] as const

/** The semantic problems that an editor shows before the linter's settings of the folder add or remove some. */
export type SemanticChoice = (typeof choices)[number]

/** Reads `semanticChecks` of an editor's settings; undefined if it has another value. */
export function readSemanticChoice(settings: unknown): SemanticChoice | undefined {
  const { semanticChecks } = toJsonRecord(settings)
  return choices.find((each) => each === semanticChecks)
}

/** Warnings that are shown with the errors: a misspelled key of data has no effect that a compilation would report. */
const shownWarnings: ReadonlySet<string> = new Set(['unread_data_key'])

/** The names of the semantic checks of a choice. */
export function listChosenChecks(choice: SemanticChoice): readonly string[] {
  if (choice === 'none') return []
  return [...semanticRules.values()]
    .filter(({ name, severity }) => choice === 'all' || severity === 'error' || shownWarnings.has(name))
    .map(({ name }) => name)
}
