import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { beforeAll, expect, it } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { scratchFolder } from './scratch-folder.ts'
import { missingLine, type Outcome, outcomesOf, type Step, scriptOf, stepsOf } from './walk.ts'

const root = resolve(import.meta.dirname, '../..')

/** Declares a test for each block of commands in a document, which are run in an empty home. Blocks of YAML are ignored. */
export function testDocument(path: string): void {
  const steps = stepsOf(readFileSync(join(root, path), 'utf8').replace(/^```yaml\n[\s\S]*?^```$/gm, ''))
  let outcomes: readonly Outcome[] = []

  beforeAll(async () => {
    outcomes = outcomesOf(steps, await walk(steps))
  }, 600_000)

  it.each(steps.map((step, index) => [step.commands.split('\n', 1)[0]!, step, index] as const))(
    '%s',
    (_, step, index) => {
      const outcome = outcomes[index]
      const printed = outcome?.output ?? 'it was not reached'
      expect(outcome?.exits, printed).toEqual(step.exits)
      expect(missingLine(step, outcome!), printed).toBeUndefined()
    },
  )
}

/** Runs the whole document in an empty home; returns its output. */
async function walk(steps: readonly Step[]): Promise<string> {
  const home = scratchFolder('document')
  const programs = join(home, 'bin')
  mkdirSync(programs)
  const main = join(root, 'dist/main.js')
  writeFileSync(join(programs, 'plumb'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 })
  // A server of this machine may have the port that the document names.
  const port = String(await freePort())
  const script = join(home, 'script')
  writeFileSync(script, scriptOf(steps).replaceAll('8140', port))
  const run = execa('bash', [script], {
    cwd: home,
    extendEnv: false,
    env: { PATH: `${programs}:${process.env['PATH']}`, HOME: home, LC_ALL: 'C.UTF-8' },
    stdin: 'ignore',
    reject: false,
    detached: true,
    timeout: 500_000,
  })
  try {
    return String((await run).stdout)
  } finally {
    endGroup(run.pid!)
  }
}

/** Ends the processes of a walk that failed. */
function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // The server ended, as the document says.
  }
}
