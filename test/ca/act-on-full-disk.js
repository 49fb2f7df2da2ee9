// Signs, revokes and issues lists anew while the disk of an authority is full, and again when it has room: full-disk.e2e.test.ts.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openBuiltAuthority } from './open-built-authority.js'

const [root, cadir] = process.argv.slice(2)
const load = (path) => import(`${root}/dist/${path}.js`)
const { localSystem } = await load('machine/system/local-system')

const later = { ...localSystem, now: () => Date.now() + 20 * 86_400_000 }
const open = (system) => openBuiltAuthority(root, cadir, { autosign: async () => false, system })
const ca = await open(localSystem)
const filler = join(cadir, 'filler')

function fill() {
  const file = openSync(filler, 'w')
  for (let size = 65_536; size >= 1; )
    try {
      writeSync(file, Buffer.alloc(size))
    } catch {
      size = Math.floor(size / 2)
    }
  closeSync(file)
}

/** Digests of all files but the filler, the index, which may be made anew at any time, and locks. */
function state() {
  const names = readdirSync(cadir, { recursive: true }).filter((name) => statSync(join(cadir, name)).isFile())
  const kept = names.filter((name) => !/^(?:filler|\.index.*|.*\.lock)$/.test(name)).sort()
  return kept.map(
    (name) =>
      `${name} ${createHash('sha256')
        .update(readFileSync(join(cadir, name)))
        .digest('hex')}`,
  )
}

const actions = {
  sign: () => ca.sign('waits.test'),
  revoke: () => ca.revoke('signed.test'),
  'issue the list anew': async () => (await open(later)).refreshRevocationList(),
  submit: () => ca.submit('new.test', process.env.REQUEST),
}
const done = {}
for (const [name, act] of Object.entries(actions)) {
  const before = state()
  fill()
  const error = await act().then(
    () => undefined,
    (caught) => String(caught.message),
  )
  const changed = state().filter((line) => !before.includes(line))
  const gone = before.filter((line) => !state().includes(line))
  rmSync(filler)
  const again = await act().then(
    () => 'done',
    (caught) => String(caught.message),
  )
  done[name] = { error, changed, gone, again }
}
process.stdout.write(JSON.stringify(done))
