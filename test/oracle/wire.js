// Asks real Puppet Server the requests of test/server/wire/requests.js, and writes what it answers to answers.json there:
//   node test/oracle/wire.js [NAME…]   only requests whose names begin so, printed and not written
// It is started by hand on the loopback interface, in a folder of its own. `--keep` prints its port and folder, and goes on
// serving; `--at=PORT:FOLDER` asks one that was left so.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../../bench/free-port.js'
import { startPuppetServer } from '../../bench/server/puppet-server.js'
import { code } from '../server/wire/code.js'
import { normal } from '../server/wire/normal.js'
import { requests } from '../server/wire/requests.js'
import { askOver } from './asking.js'

const keep = process.argv.includes('--keep')
const [, knownPort, known] = /^--at=(\d+):(.*)$/.exec(process.argv.find((word) => word.startsWith('--at=')) ?? '') ?? []
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const folder = known ?? mkdtempSync(join(tmpdir(), 'plumb-wire-'))
const root = join(folder, 'code/environments/production')
const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()

/** @param {string} at @param {Record<string, string | { link: string }>} files */
function put(at, files) {
  for (const [path, file] of Object.entries(files)) {
    mkdirSync(dirname(join(at, path)), { recursive: true })
    if (typeof file === 'string') writeFileSync(join(at, path), file)
    else symlinkSync(file.link, join(at, path))
  }
}

/** @param {string} name @param {string} text */
function program(name, text) {
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  return join(folder, name)
}

rmSync(root, { recursive: true, force: true })
put(root, code)
git('init', '--quiet', '--initial-branch=production')
git('add', '--all')
git('-c', 'user.name=Test', '-c', 'user.email=test@example.test', 'commit', '--quiet', '--message', 'The code')
const commit = git('rev-parse', 'HEAD')
// Everybody may do everything: what is looked at here comes behind that.
const rules = [
  '{ match-request: { path: "/", type: path }, allow-unauthenticated: true, sort-order: 1, name: "everybody" }',
]
const port = knownPort ? Number(knownPort) : await freePort()
const server =
  known === undefined &&
  (await startPuppetServer(folder, {
    ...{ codedir: join(folder, 'code'), port, instances: 1, deployer: 'nobody', flush() {}, rules },
    versioned: {
      id: program('id', `exec git -C ${folder}/code/environments/$1 rev-parse HEAD`),
      content: program('content', `exec git -C ${folder}/code/environments/$1 show "$2:$3"`),
    },
  }))

const over = askOver(port)

/** @param {[string, string, { headers?: Record<string, string>, body?: string }]} row */
function ask([method, path, more]) {
  return over({ method, path: path.replace('CODE_ID', commit), ...more })
}

if (known) await ask(['DELETE', '/puppet-admin-api/v1/environment-cache', {}])
const answers = {}
for (const [name, row] of Object.entries(requests)) {
  if (only.length > 0 && !only.some((word) => name.startsWith(word))) continue
  const { status, headers, text } = await ask(row)
  const body = normal(text, {
    [join(folder, 'code/environments')]: 'ENVIRONMENTS',
    [folder]: 'FOLDER',
    [commit]: 'CODE_ID',
  })
  answers[name] = { status, type: headers['content-type'], ...(headers.etag && { etag: true }), body }
}
if (only.length > 0) console.log(JSON.stringify(answers, null, 1))
else writeFileSync(new URL('../server/wire/answers.json', import.meta.url), `${JSON.stringify(answers, null, 1)}\n`)
if (keep || !server) {
  console.log(port, folder)
} else {
  await server.stop()
  rmSync(folder, { recursive: true })
}
