// Asks real Puppet Server the questions of test/server/wire/mounts.js, and writes what it answers to mounts.json there:
//   node test/oracle/mounts.js && UPDATE=1 npx vitest run test/server/wire/mounts.e2e.test.ts
// It is started by hand on the loopback interface, in a folder of its own, with an authority that signs the clients.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../bench/free-port.js'
import { startPuppetServer } from '../../bench/server/puppet-server.js'
import { clients, questions, rules, writeMounts } from '../server/wire/mounts.js'
import { normal } from '../server/wire/normal.js'
import { askOver } from './asking.js'

const file = new URL('../server/wire/mounts.json', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'plumb-mounts-'))
const codedir = join(folder, 'code')
mkdirSync(join(codedir, 'environments/production/manifests'), { recursive: true })
const port = await freePort()
const server = await startPuppetServer(folder, {
  ...{ codedir, port, instances: 1, deployer: 'nobody', flush() {}, rules },
  settings: { fileserverconfig: writeMounts(folder) },
})
const ask = askOver(port)

/** A key and a certificate that the server's authority made. */
async function credentialsOf(/** @type {string} */ name) {
  const key = join(folder, `${name}.key`)
  const words = ['req', '-new', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`, '-keyout', key]
  const body = execFileSync('openssl', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const headers = { 'Content-Type': 'text/plain' }
  await ask({ method: 'PUT', path: `/puppet-ca/v1/certificate_request/${name}`, headers, body })
  const { text } = await ask({ path: `/puppet-ca/v1/certificate/${name}` })
  return { key: readFileSync(key, 'utf8'), cert: text }
}

try {
  const known = {}
  for (const name of clients) known[name] = await credentialsOf(name)
  const answers = {}
  for (const [name, { path, as, headers }] of Object.entries(questions)) {
    const { status, headers: said, text } = await ask({ path, headers, ...(as && known[as]) })
    answers[name] = { status, type: said['content-type'], body: normal(text, { [folder]: 'FOLDER' }) }
    if (process.argv.includes('--headers')) console.log(name, said)
  }
  writeFileSync(file, `${JSON.stringify(answers, null, 1)}\n`)
} finally {
  await server.stop()
  if (process.argv.includes('--keep')) console.log(folder)
  else rmSync(folder, { recursive: true })
}
