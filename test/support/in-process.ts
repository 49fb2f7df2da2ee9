import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { Server } from 'node:net'
import { basename } from 'node:path'
import { afterAll, expect } from 'vitest'
import { asksProgram } from './recorded-answers.ts'

// Limits suites of `npm test` to Node and git. A suite that starts another program or opens a port fails at that place
// and, since it may handle the error, at its end. The kind of such suites is `NAME.e2e.test.ts`.

/** Programs that facts come from. The product does without them, and an in-process suite finds none. */
const absent = new Set(['augparse', 'ip', 'lsb_release', 'lsblk', 'zfs', 'zpool'])

const starters = ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork'] as const

/** Setup files are loaded again for each suite of a process, and what they patch stays. */
interface Guarded {
  /** Errors of refused actions, until the end of a suite reports them. */
  plumbRefused?: Error[]
}

const here = globalThis as Guarded

function guard(): void {
  if (here.plumbRefused) return
  here.plumbRefused = []
  for (const name of starters) {
    const start = childProcess[name] as (...words: unknown[]) => unknown
    Object.assign(childProcess, {
      [name](this: unknown, ...words: unknown[]) {
        const program = basename(String(words[0]))
        if (absent.has(program)) return start.call(this, `/nonexistent/${program}`, ...words.slice(1))
        if (!isGit(words)) refuse(`starts ${String(words[0])}`)
        return start.apply(this, words)
      },
    })
  }
  syncBuiltinESMExports()
  const { listen } = Server.prototype
  Server.prototype.listen = function (this: Server, ...options: unknown[]): Server {
    if (!isSocket(options[0])) refuse('opens a port')
    return listen.apply(this, options as Parameters<typeof listen>)
  } as Server['listen']
}

/** True of git, and of `prlimit`, which starts git with a limit of memory. */
function isGit([program, words]: readonly unknown[]): boolean {
  const name = basename(String(program))
  return (
    name === 'git' || (name === 'prlimit' && Array.isArray(words) && words.some((word) => basename(word) === 'git'))
  )
}

const isSocket = (where: unknown): boolean =>
  typeof where === 'string' ||
  (typeof where === 'object' && where !== null && typeof (where as { path?: unknown }).path === 'string')

function refuse(what: string): never {
  const suite = expect.getState().testPath
  const error = new Error(
    `An in-process suite ${what}, while ${suite} runs. Its name has to end in .e2e.test.ts, see CONTRIBUTING.md.`,
  )
  here.plumbRefused?.push(error)
  throw error
}

// To record answers, programs are asked.
if (!asksProgram) guard()

afterAll(() => {
  // Their stacks name the suite; it may be an earlier one, whose work goes on.
  const refused = here.plumbRefused?.splice(0) ?? []
  if (refused.length > 0) throw new AggregateError(refused)
})
