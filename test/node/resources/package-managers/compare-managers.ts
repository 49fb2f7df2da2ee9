import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExactJson } from '../../../../src/base/json/exact-json.ts'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import { without } from '../../../support/needs.ts'
import { variablesOf } from '../../../support/openvox.ts'
import { asksProgram, recordedAnswers } from '../../../support/recorded-answers.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { type ApplyCase, prepare } from '../beside-puppet/apply-case.ts'
import { ownRuns } from '../beside-puppet/own-runs.ts'
import { packedRuns } from '../beside-puppet/packed-runs.ts'
import { cleaned, type Run } from '../beside-puppet/run.ts'
import { type ManagerRoot, openRoot } from './root.ts'
import { recordCommands, replayCommands, type Transcript, withoutTimes } from './transcript.ts'

/** A manifest that is applied twice, and a shell script that prepares the root for it. A text has nothing to prepare. */
export interface ManagerCase extends Pick<ApplyCase, 'manifest' | 'noop' | 'once'> {
  readonly setup?: string
  readonly facts?: Readonly<Record<string, ExactJson>>
  /** Differs from real Puppet by intention, as docs/differences.md explains: the lines of our runs are recorded instead. */
  readonly differs?: string
}

interface Answer {
  /** The runs of real Puppet, or ours where they differ by intention. */
  readonly runs: unknown
  /** The packages, locks and files of the root after each run. */
  readonly states: readonly string[]
  /** The programs that our provider ran. */
  readonly transcript: Transcript
}

/** A package manager that Puppet has no provider for: its program, and a script that makes it in the root. */
export interface OtherManager {
  readonly program: string
  readonly setup: string
}

/** The program with which ours is compared; of an `other` manager only the runs of ours are recorded, to be reviewed. */
type Reference = 'Puppet 7.23.0' | 'OpenVox 8.28.1' | OtherManager

/**
 * A suite of manifests that ours and real Puppet apply with real package managers, each from the same state of a root file
 * system. `npm test` replays the recorded commands of our provider; `npm run test:oracle` runs both sides again.
 */
export function applyWithManagers(
  suite: string,
  title: string,
  facts: Readonly<Record<string, ExactJson>>,
  table: Readonly<Record<string, string | ManagerCase>>,
  reference: Reference = 'Puppet 7.23.0',
): void {
  const other = typeof reference === 'string' ? undefined : reference
  const compatibility = reference === 'OpenVox 8.28.1' ? 'openvox8' : undefined
  const recorded = recordedAnswers(suite, typeof reference === 'string' ? reference : reference.program)
  const cases = Object.fromEntries(
    Object.entries(table).map(([name, each]) => {
      const {
        setup,
        differs = other?.program,
        ...rest
      }: ManagerCase = typeof each === 'string' ? { manifest: each } : each
      return [name, { setup, differs, apply: { facts, withoutTags: 'as everywhere', ...rest } }] as const
    }),
  )
  const missing = without('real Puppet 7.23', 'package managers')
  describe.skipIf(missing !== '')(`${title}${missing}`, () => {
    const scratch = scratchFolder('both')
    const own = new Map<string, Answer>()
    let answers: Readonly<Record<string, Answer>>
    let root: ManagerRoot | undefined

    beforeAll(async () => {
      for (const name of ['modules', 'live', 'replayed']) mkdirSync(join(scratch, name, 'modules'), { recursive: true })
      let real: Readonly<Record<string, Answer>> = {}
      if (asksProgram) {
        root = await openRoot(other?.setup)
        for (const [name, { apply, setup }] of Object.entries(cases))
          own.set(name, await applyOwn(root, join(scratch, 'live'), name, apply, { setup, compatibility }))
        const asPuppet = Object.entries(cases).filter(([, { differs }]) => differs === undefined)
        const variables = reference === 'OpenVox 8.28.1' ? variablesOf(reference) : {}
        if (asPuppet.length > 0) real = applyReal(root, scratch, Object.fromEntries(asPuppet), variables)
      }
      const questions = Object.entries(cases).map(([name, { apply, setup }]) => [name, { ...apply, setup }] as const)
      answers = recorded.all(Object.fromEntries(questions), () =>
        Object.fromEntries(
          Object.keys(cases).map((name) => {
            const { transcript, ...ours } = own.get(name)!
            return [name, { ...(cases[name]!.differs === undefined ? real[name]! : ours), transcript }] as const
          }),
        ),
      )
    }, 1_800_000)
    afterAll(() => root?.close())

    for (const [name, { apply }] of Object.entries(cases))
      it(name, async () => {
        const { runs, states, transcript } = answers[name]!
        const live = own.get(name)
        if (live) expect({ runs: live.runs, states: live.states }).toEqual({ runs, states })
        const { commands, rest } = replayCommands(transcript)
        const system = { ...localSystem, commands }
        const replayed = await ownRuns(join(scratch, 'replayed'), name, apply, { system, compatibility })
        expect(packRuns(replayed, apply)).toEqual(runs)
        expect(rest()).toEqual([])
      })
  })
}

/** Runs without the files of the case, of which there are none. */
function packRuns(runs: readonly Run[], each: ApplyCase): unknown {
  return packedRuns(runs, each).map(({ tree: _, ...run }) => run)
}

async function applyOwn(
  root: ManagerRoot,
  scratch: string,
  name: string,
  each: ApplyCase,
  { setup, compatibility }: { readonly setup: string | undefined; readonly compatibility: 'openvox8' | undefined },
): Promise<Answer> {
  const { commands, transcript } = recordCommands(root.commands)
  const states: string[] = []
  const runs = await ownRuns(scratch, name, each, {
    system: { ...localSystem, commands },
    compatibility,
    before: (run) => run === 0 && root.run(`begin-case; ${setup ?? ''}`),
    after: () => states.push(root.run('print-state')),
  })
  return { runs: packRuns(runs, each), states, transcript }
}

const oracle = resolve(import.meta.dirname, '../../../oracle/apply.rb')

function applyReal(
  root: ManagerRoot,
  scratch: string,
  cases: Readonly<Record<string, { readonly apply: ApplyCase; readonly setup: string | undefined }>>,
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, Answer>> {
  const jobs = Object.entries(cases).flatMap(([name, { apply, setup }]) => {
    const { folder, vardir, manifests } = prepare(scratch, name, 'real', apply)
    const words = ['--confdir', join(scratch, 'etc'), '--modulepath', join(scratch, 'modules'), '--certname', 'vm']
    words.push('--color=false', '--detailed-exitcodes', '--no-preprocess_deferred', ...(apply.noop ? ['--noop'] : []))
    return manifests.map((manifest, run) => ({
      name,
      folder,
      vardir,
      words: [...words, '-e', manifest],
      facts: apply.facts,
      before: run === 0 ? `begin-case; ${setup ?? ''}` : undefined,
      after: 'print-state',
    }))
  })
  const [program = '', ...words] = root.enter(['ruby', '-W0', oracle, 'package'])
  const timeout = 1_200_000
  const env = { ...process.env, ...variables }
  const options = { input: JSON.stringify(jobs), encoding: 'utf8', maxBuffer: 1 << 28, timeout, env } as const
  const { stdout, stderr } = spawnSync(program, words, options)
  if (stdout === '') throw new Error(stderr)
  const results = JSON.parse(withoutTimes(stdout)) as readonly (Run<string> & { readonly state: string })[]
  return Object.fromEntries(
    Object.entries(cases).map(([name, { apply }]) => {
      const mine = results.filter((_, index) => jobs[index]!.name === name)
      const { folder } = jobs.find((job) => job.name === name)!
      const runs = mine.map((run) => cleaned(run, folder))
      const states = mine.map(({ state }) => state)
      return [name, { runs: packRuns(runs, apply), states, transcript: { found: {}, exchanges: [] } }]
    }),
  )
}
