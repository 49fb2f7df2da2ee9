import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { Server } from 'node:net'
import { basename } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { asksProgram } from './recorded-answers.ts'

// Limits suites of `npm test` to Node and git. A suite that starts another program or opens a port
// fails at that place, and one that changes the environment fails at its end; its kind is `NAME.e2e.test.ts`.

const starters = ['spawn', 'spawnSync', 'execFile', 'execFileSync', 'exec', 'execSync', 'fork'] as const

interface Guarded {
  plumbIsGuarded?: true
}

function guard(): void {
  const here = globalThis as Guarded
  if (here.plumbIsGuarded) return
  here.plumbIsGuarded = true
  for (const name of starters) {
    const start = childProcess[name] as (...words: unknown[]) => unknown
    Object.assign(childProcess, {
      [name](this: unknown, ...words: unknown[]) {
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
  throw new Error(`An in-process suite ${what}: ${suite}. Its name has to end in .e2e.test.ts, see CONTRIBUTING.md.`)
}

// To record answers, programs are asked.
if (!asksProgram) guard()

let environment: string
let folder: string
const variables = (): string => JSON.stringify(Object.entries(process.env).sort())
beforeAll(() => {
  environment = variables()
  folder = process.cwd()
})
afterAll(() => {
  expect(variables(), 'the environment after an in-process suite').toBe(environment)
  expect(process.cwd(), 'the folder of the process after an in-process suite').toBe(folder)
})
