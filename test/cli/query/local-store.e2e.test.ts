import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Store } from '../../../src/store/thread/store.ts'
import { runOf } from '../../store/retention/fleet.ts'
import { plumbMain } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** Milliseconds: only what hangs is given up. */
const patience = 300_000
/** Debian's `nobody`: an ordinary user without a home. */
const nobody = 65534
const isRoot = process.getuid?.() === 0

const folder = scratchFolder('local-store')
const [confdir, vardir] = [join(folder, 'etc'), join(folder, 'var')]
const storeFolder = join(vardir, 'server_data/store')
const file = join(storeFolder, 'store.db')
const certname = 'node1.test'

/** Gives all users read permission to the store, and to nothing else of the server. */
function share(): void {
  for (const path of [folder, vardir, join(vardir, 'server_data'), storeFolder]) chmodSync(path, 0o755)
  for (const name of readdirSync(storeFolder))
    if (name.startsWith('store.db')) chmodSync(join(storeFolder, name), 0o644)
}

async function plumb(words: readonly string[]) {
  const places = ['--confdir', confdir, '--vardir', vardir, '--certname', 'me.test']
  const { stdout, stderr, exitCode } = await execa(process.execPath, [plumbMain, ...words, ...places], {
    ...{ reject: false, cwd: '/', env: { HOME: '/nonexistent', NO_COLOR: '1' } },
    ...(isRoot && { uid: nobody, gid: nobody }),
  })
  return { out: stdout, err: stderr, status: exitCode }
}

const commands = [
  ['query', 'nodes {}'],
  ['node', 'list'],
  ['node', 'show', certname],
  ['node', 'history', certname],
  ['node', 'status', certname],
]

describe('the store of a server on this machine', () => {
  let server: Store
  beforeAll(async () => {
    server = await Store.open({ folder: storeFolder })
    for (const command of runOf(1, 1, Date.now())) await server.submitAndWait(command, patience)
  })
  afterAll(() => server.close())

  it.each(commands)('is read without a certificate by a user who can read its files: plumb %s %s', async (...words) => {
    share()
    const { out, err, status } = await plumb([...words, '--render-as', 'json'])
    expect([status !== 1, err]).toEqual([true, ''])
    expect(out).toContain(words[1] === 'history' ? 'code_id' : certname)
    expect(existsSync(join(confdir, 'ssl'))).toBe(false)
  })

  it.skipIf(!isRoot).each([...commands.slice(0, 3), ['store', 'status']])(
    'is denied to a user who cannot: plumb %s %s',
    async (...words) => {
      share()
      const deny = async (path: string, mode: number) => {
        chmodSync(path, mode)
        return plumb(words)
      }
      const denied = (path: string) => ({
        status: 1,
        out: '',
        err:
          `Error: Could not read the store of this machine: Permission denied - ${path}\n  Run the command as the server's ` +
          "user or as root. 'plumb query' and 'plumb node' also query a server: --server NAME.",
      })
      expect(await deny(file, 0o600)).toEqual(denied(file))
      share()
      expect(await deny(storeFolder, 0o700)).toEqual(denied(file))
    },
  )
})

it.skipIf(!isRoot)('a store that no server has open is denied to a user who cannot write its folder', async () => {
  share()
  rmSync(`${file}-shm`, { force: true })
  const { err, status } = await plumb(['query', 'nodes {}'])
  expect([status, err]).toEqual([1, expect.stringContaining(`Permission denied - ${storeFolder}\n`)])
})

it.skipIf(!isRoot)('plumb audit names the next step to a user who cannot read the audit log', async () => {
  share()
  mkdirSync(join(vardir, 'audit'), { mode: 0o700 })
  const { err, status } = await plumb(['audit', 'log'])
  expect([status, err]).toEqual([1, expect.stringContaining(`${vardir}/audit\n  The user ${nobody} has no access. `)])
})
