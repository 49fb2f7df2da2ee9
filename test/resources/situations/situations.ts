import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { useRubyForRegexps } from '../../../src/ruby/regexp-engine.ts'
import { debianModules } from '../../support/debian-modules.ts'
import { withoutPuppet } from '../../support/real-puppet.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import type { ApplyCase } from '../beside-puppet/apply-case.ts'
import { ownRuns } from '../beside-puppet/own-runs.ts'
import { realRuns } from '../beside-puppet/real-runs.ts'
import type { Run } from '../beside-puppet/run.ts'

/** Situations by title. A text is a manifest without files before it. */
export type Situations = Readonly<Record<string, string | ApplyCase>>

/** The part of a run that is recorded: status, log lines, status and events of each resource, files afterwards. */
type Answer = Readonly<Record<string, unknown>>

/**
 * Compares our runs with the answers of real Puppet 7.23 in `recorded/AREA.json`. `UPDATE=1` records the answers
 * anew; with `CI_NIGHTLY=1` and a real Puppet at hand, the recorded answers are compared with it, too.
 */
export function situations(area: string, modules: readonly string[], table: Situations): void {
  const file = join(import.meta.dirname, 'recorded', `${area}.json`)
  const cases = Object.fromEntries(
    Object.entries(table).map(([name, each]) => [name, typeof each === 'string' ? { manifest: each } : each]),
  )
  const scratch = scratchFolder(area)
  const real = () => answersOfReal(scratch, cases)
  const notRoot = process.getuid?.() === 0 ? '' : ' (left out: it changes owners, and this is not root)'
  describe.skipIf(notRoot)(`${area} as in real Puppet 7.23${notRoot}`, () => {
    let recorded: Readonly<Record<string, unknown>>
    beforeAll(() => {
      useRubyForRegexps()
      chmodSync(scratch, 0o755)
      mkdirSync(join(scratch, 'modules'))
      for (const name of modules)
        symlinkSync(isAbsolute(name) ? name : join(debianModules, name), join(scratch, 'modules', basename(name)))
      if (process.env['UPDATE'] === '1') writeFileSync(file, recordedText(real()))
      recorded = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as typeof recorded) : {}
    }, 1_800_000)
    for (const [name, each] of Object.entries(cases))
      it(name, async () => {
        const own = await ownRuns(scratch, name, each)
        expect(answersOf(own)).toEqual(recorded[name])
      })
    const notNow =
      withoutPuppet || (process.env['CI_NIGHTLY'] === '1' ? '' : ' (left out but with CI_NIGHTLY=1: it takes minutes)')
    it.skipIf(notNow)(`recorded answers are still those of real Puppet${notNow}`, () => {
      expect(real()).toEqual(recorded)
    })
  })
}

function answersOfReal(
  scratch: string,
  cases: Readonly<Record<string, ApplyCase>>,
): Readonly<Record<string, readonly Answer[]>> {
  const found = realRuns(scratch, cases)
  return Object.fromEntries(Object.keys(cases).map((name) => [name, answersOf(found.get(name)!)]))
}

/** An empty difference, which real Puppet logs before a corrective change, is left out: docs/differences.md. */
function answersOf(runs: readonly Run[]): readonly Answer[] {
  return runs.map(({ status, out, err, resources, tree }, index) => ({
    status,
    said: [...out, ...err]
      .map((line) => line.replace(scratchName, 'SCRATCH'))
      .filter((line, at, all) => !(/\/content: $/.test(line) && all[at + 1] !== '---')),
    resources: Object.fromEntries(Object.entries(resources).map(([name, each]) => [name, statusOf(each as Status)])),
    // A run that changes no file repeats the tree of the run before it.
    ...(index > 0 && JSON.stringify(tree) === JSON.stringify(runs[index - 1]!.tree) ? {} : { tree: treeOf(tree) }),
  }))
}

/** The name of a scratch folder, which is another one in each run. */
const scratchName = /plumb-[a-z-]+-\w{6}(?=[/_])/g

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

const treeOf = (tree: Run['tree']): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(tree).map(([path, parts]) => [path, (parts as unknown[]).map(String).join(' ')]))

/** One situation a line. */
export function recordedText(answers: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(answers).map((entry) => entry.map((each) => JSON.stringify(each)).join(': '))
  return `{\n${lines.join(',\n')}\n}\n`
}
