import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { installRubyRegexpEngine } from '../../../../src/ruby/regexp-engine.ts'
import { debianModules } from '../../../support/debian-modules.ts'
import { isNight } from '../../../support/nightly.ts'
import { asksProgram, type RecordedAnswers } from '../../../support/recorded-answers.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { type ApplyCase, questionOf } from './apply-case.ts'
import { ownRuns } from './own-runs.ts'
import { packedRuns } from './packed-runs.ts'
import { realRuns } from './real-runs.ts'
import type { Run } from './run.ts'

/** Manifests with what is there before them, by title. A text is a manifest that begins with nothing. */
export type ApplyCases = Readonly<Record<string, string | ApplyCase>>

/**
 * A suite of manifests: each is applied twice by ours and by real Puppet to the same files. What both say, report and
 * leave behind is equal, and so the second run changes what real Puppet's second run changes.
 *
 * @param puppet the answers of real Puppet: `recordedAnswers` or, in an oracle suite, `liveAnswers`
 * @param modules names of Debian's modules, which real Puppet needs for types that are built in here, and paths
 */
export function applyBoth(puppet: RecordedAnswers, title: string, modules: readonly string[], table: ApplyCases): void {
  compareRuns(puppet, { title, about: (name) => `${title}: ${name}`, pack: packedRuns }, modules, table)
}

/** The form in which runs are compared. */
interface Comparison {
  readonly title: string
  /** The title of a case among the recorded answers. */
  readonly about: (name: string) => string
  /** The parts of runs that are recorded and compared. */
  readonly pack: (runs: readonly Run[], each: ApplyCase) => unknown
}

/** A suite of manifests that both apply, as `applyBoth` has it, with another form of its answers. */
export function compareRuns(
  puppet: RecordedAnswers,
  { title, about, pack }: Comparison,
  modules: readonly string[],
  table: ApplyCases,
): void {
  const cases = Object.fromEntries(
    Object.entries(table)
      .map(([name, each]) => [name, typeof each === 'string' ? { manifest: each } : each] as const)
      .filter(([, { nightly }]) => isNight || !nightly),
  )
  if (Object.keys(cases).length === 0) return
  const scratch = scratchFolder('both')
  const notRoot = process.getuid?.() === 0 ? '' : ' (left out: it changes owners, and this is not root)'
  describe.skipIf(notRoot)(`${title}${notRoot}`, () => {
    let answers: Readonly<Record<string, unknown>>
    beforeAll(() => {
      installRubyRegexpEngine()
      // Some resources are written as other users.
      chmodSync(scratch, 0o755)
      mkdirSync(join(scratch, 'modules'))
      for (const name of modules)
        if (isAbsolute(name)) symlinkSync(name, join(scratch, 'modules', basename(name)))
        else if (asksProgram || puppet === liveAnswers)
          symlinkSync(join(debianModules, name), join(scratch, 'modules', name))
      const titles = Object.keys(cases)
      answers = puppet.all(
        Object.fromEntries(titles.map((name) => [about(name), questionOf(modules, cases[name]!)])),
        () => {
          const runs = realRuns(scratch, cases)
          return Object.fromEntries(titles.map((name) => [about(name), pack(runs.get(name)!, cases[name]!)]))
        },
      )
    }, 1_800_000)
    for (const [name, each] of Object.entries(cases))
      it(name, async () => {
        expect(pack(await ownRuns(scratch, name, each), each)).toEqual(answers[about(name)])
      })
  })
}

/** Answers that real Puppet gives in this run, for cases with modules that are not ours to record. */
export const liveAnswers: RecordedAnswers = {
  all: (_questions, ask) => ask(),
  one: (_title, _question, ask) => ask(),
}
