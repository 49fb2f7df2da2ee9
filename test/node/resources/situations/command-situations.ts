import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { puppetRuns } from '../../../support/puppet-runs.ts'
import { noModules } from '../../../support/real-puppet.ts'
import type { RecordedAnswers } from '../../../support/recorded-answers.ts'
import { runHere } from '../../../support/run-here.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

/** A command: the words after `puppet`, or a text for the shell. `@` stands for the folder of the situation. */
type Step = readonly string[] | string
/** Commands by title, each list run in a folder of its own. */
export type CommandSituations = Readonly<Record<string, readonly Step[]>>

interface Ending {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

/** Compares our commands with the recorded answers of real Puppet. */
export function commandSituations(puppet: RecordedAnswers, area: string, table: CommandSituations): void {
  const scratch = scratchFolder(area)
  const names = Object.keys(table)
  const place = (who: string, name: string) => join(scratch, `${who}${names.indexOf(name)}`)
  describe.skipIf(process.getuid?.() !== 0)(`${area} as in real Puppet 7.23`, () => {
    let recorded: Readonly<Record<string, unknown>>
    beforeAll(() => {
      recorded = puppet.all(table, () => realAnswers(table, (name) => place('real', name)))
    }, 1_800_000)
    it.each(names)('%s', async (name) => {
      expect(await ownAnswers(place('ours', name), table[name]!)).toEqual(recorded[name])
    })
  })
}

function commandsIn(folder: string, steps: readonly Step[]): readonly (readonly string[])[] {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'f'), { recursive: true })
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'vm']
  return steps.map((step) => {
    const words =
      typeof step === 'string' ? ['/bin/sh', '-c', step] : [...step, ...places, '--color', 'false', ...noModules]
    return words.map((word) => word.replaceAll('@', join(folder, 'f')))
  })
}

function realAnswers(table: CommandSituations, place: (name: string) => string): Readonly<Record<string, unknown>> {
  const all = Object.entries(table).map(([name, steps]) => ({ name, commands: commandsIn(place(name), steps) }))
  const runs = puppetRuns(all.flatMap(({ commands }) => commands))
  let at = 0
  const answers = all.map(({ name, commands }) => {
    const own = runs.slice(at, at + commands.length)
    at += commands.length
    const endings = own.map(({ exitCode, stdout, stderr }) => ({ status: exitCode, out: stdout, err: stderr }))
    return [name, answer(place(name), endings)] as const
  })
  return Object.fromEntries(answers)
}

async function ownAnswers(folder: string, steps: readonly Step[]): Promise<unknown> {
  const runs: Ending[] = []
  for (const words of commandsIn(folder, steps))
    if (words[0] === '/bin/sh')
      runs.push({ status: 0, out: execFileSync('/bin/sh', words.slice(1), { encoding: 'utf8' }), err: '' })
    // The messages of the version of the recorded answers.
    else runs.push(await runHere([...words, '--compatibility', 'puppet7']))
  return answer(folder, runs)
}

function answer(folder: string, runs: readonly Ending[]): unknown {
  const files = join(folder, 'f')
  const paths = (readdirSync(files, { recursive: true }) as string[]).sort()
  const tree = paths.map((path) => {
    const full = join(files, path)
    return [path, statSync(full).isDirectory() ? null : linesOf(readFileSync(full, 'utf8'), files)]
  })
  const steps = runs.map(({ status, out, err }) => ({ status, said: [...linesOf(out, files), ...linesOf(err, files)] }))
  return { steps, tree: Object.fromEntries(tree) }
}

/** Lines without the folder, times, and lines about facts and the compilation. */
function linesOf(text: string, folder: string): readonly string[] {
  return text
    .replaceAll(folder, '@')
    .replaceAll(/\/tmp\/plumb-[\w-]+\/(?:real|ours)\d+/g, '@@')
    .replaceAll(/version '\d+'/g, "version 'N'")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?: ?[-+]\d\d:?\d\d| UTC|Z)?/g, 'TIME')
    .replaceAll(/\b[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ \d{4}/g, 'TIME')
    .replaceAll(/\d+\.\d+ seconds/g, 'N seconds')
    .split('\n')
    .filter((line) => line !== '' && !/Compiled catalog|fact|Facter|multiple default/.test(line))
    .map((line) => line.replace(/^ {2}(?=\S)/, '').replace(/^(---|\+\+\+) .*$/, '$1'))
}
