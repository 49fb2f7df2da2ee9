import type { RecordedAnswers } from '../../../support/recorded-answers.ts'
import { type ApplyCases, compareRuns } from '../beside-puppet/apply-both.ts'
import type { ApplyCase } from '../beside-puppet/apply-case.ts'
import type { Run } from '../beside-puppet/run.ts'

/** The part of a run that is recorded: status, log lines, status and events of each resource, files afterwards. */
type Answer = Readonly<Record<string, unknown>>

/**
 * Compares our runs with the recorded answers of real Puppet. Of each it compares less than `applyBoth`: tags and
 * providers of built-in types are compared there.
 *
 * @param puppet the answers of real Puppet: `recordedAnswers` or, in an oracle suite, `liveAnswers`
 */
export function situations(puppet: RecordedAnswers, area: string, modules: readonly string[], table: ApplyCases): void {
  const title = `${area} as in real Puppet 7.23`
  compareRuns(puppet, { title, about: (name) => name, pack: answersOf }, modules, table)
}

/** An empty difference, which real Puppet logs before a corrective change, is left out: docs/differences.md. */
function answersOf(runs: readonly Run[], { unlike }: ApplyCase): readonly Answer[] {
  const alike = (text: string) => (unlike === undefined ? text : text.replace(unlike, ''))
  return runs.map(({ status, out, err, resources, tree }, index) => ({
    status,
    said: [...out, ...err].filter((line, at, all) => !(/\/content: $/.test(line) && all[at + 1] !== '---')).map(alike),
    resources: Object.fromEntries(
      Object.entries(resources).map(([name, each]) => [name, statusOf(each as Status).map(alike)]),
    ),
    // A run that changes no file repeats the tree of the run before it.
    ...(index > 0 && JSON.stringify(tree) === JSON.stringify(runs[index - 1]!.tree) ? {} : { tree: treeOf(tree) }),
  }))
}

interface Status {
  readonly failed: boolean
  readonly skipped: boolean
  readonly changed: boolean
  readonly out_of_sync: boolean
  readonly events: readonly Readonly<Record<string, unknown>>[]
}

function statusOf({ failed, skipped, changed, out_of_sync, events }: Status): readonly string[] {
  const flags = Object.entries({ failed, skipped, changed, out_of_sync }).filter(([, is]) => is)
  const values = (event: Status['events'][number]) =>
    ['property', 'status', 'previous_value', 'desired_value', 'message'].map((name) => JSON.stringify(event[name]))
  const mark = (event: Status['events'][number]) => (event['corrective_change'] === true ? ' corrective' : '')
  return [flags.map(([name]) => name).join(' '), ...events.map((event) => `${values(event).join(' ')}${mark(event)}`)]
}

/** A file without the day of a change in /etc/shadow. */
const withoutDay = (file: string): string => file.replace(/^([^:\n]*:[^:\n]*:)2\d{4}:/gm, '$1TODAY:')

const treeOf = (tree: Run['tree']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(tree).map(([path, parts]) => [path, withoutDay((parts as unknown[]).map(String).join(' '))]),
  )
