import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../bench/free-port.js'
import { scratchFolder } from './support/scratch-folder.ts'
import { missingLine, type Outcome, outcomesOf, scriptOf, stepsOf } from './support/walk.ts'

const root = resolve(import.meta.dirname, '..')
const steps = stepsOf(readFileSync(join(root, 'docs/first-day.md'), 'utf8'))

/** Debian's `nobody`: an ordinary user without a home. */
const nobody = 65534
const isRoot = process.getuid?.() === 0

const users: readonly (readonly [who: string, uid: number | undefined])[] = isRoot
  ? [
      ['root', undefined],
      ['an ordinary user', nobody],
    ]
  : [['an ordinary user', undefined]]

describe.each(users)('the first day of %s', (_, uid) => {
  let outcomes: readonly Outcome[] = []
  beforeAll(async () => {
    outcomes = outcomesOf(steps, await walk(uid))
  }, 900_000)

  it.each(steps.map((step, index) => [step.line, step, index] as const))('line %i', (_, step, index) => {
    const outcome = outcomes[index]
    const said = outcome?.output ?? 'it was not reached'
    expect(outcome?.exits, said).toEqual(step.exits)
    expect(missingLine(step, outcome!), said).toBeUndefined()
  })
})

/** One checkout, which a user hands on to the next: the copy of all packages takes longer than a day. */
const shared = join(scratchFolder('first-day'), 'checkout')

/** Runs the whole document in a checkout and an empty home of its own; answers what was printed. */
async function walk(uid: number | undefined): Promise<string> {
  const folder = scratchFolder('first-day')
  const [home, checkout, temporary] = ['home', 'checkout', 'tmp'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [home, temporary]) mkdirSync(each)
  if (!existsSync(shared)) copyCheckout(shared)
  renameSync(shared, checkout)
  rmSync(join(checkout, 'dist'), { recursive: true, force: true })
  if (uid !== undefined) giveTo(uid, folder)
  const script = join(folder, 'script')
  // A server of this machine may have the port that the document names.
  const port = String(await freePort())
  writeFileSync(script, scriptOf(steps).replaceAll('8140', port))
  const { PATH } = process.env
  const day = execa('bash', [script], {
    cwd: checkout,
    ...(uid === undefined ? {} : { uid, gid: uid }),
    extendEnv: false,
    env: { PATH, HOME: home, TMPDIR: temporary, LC_ALL: 'C.UTF-8', npm_config_offline: 'true' },
    stdin: 'ignore',
    reject: false,
    detached: true,
    timeout: 800_000,
  })
  try {
    return String((await day).stdout).replaceAll(`:${port}`, ':8140')
  } finally {
    endGroup(day.pid!)
    renameSync(checkout, shared)
  }
}

/** A checkout as `npm install` leaves it but for `dist`, so that it fetches nothing. */
function copyCheckout(to: string): void {
  const left = ['.git', 'dist', 'node_modules'].map((name) => join(root, name))
  const options = { recursive: true, verbatimSymlinks: true }
  cpSync(root, to, { ...options, filter: (path) => !left.includes(path) })
  cpSync(realpathSync(join(root, 'node_modules')), join(to, 'node_modules'), options)
}

function giveTo(uid: number, folder: string): void {
  chownSync(folder, uid, uid)
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, path), uid, uid)
}

/** What a day that failed has left running. */
function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // Nothing: the server ended, as the document says.
  }
}
