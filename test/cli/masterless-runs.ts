// Runs of `plumb apply`, and of `puppet apply`, beside a server that keeps what it is told.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { toCommandLineArguments } from '../../src/machine/settings/settings.ts'
import { type Answer, type HttpsServer, httpsServer, identities } from '../store/puppetdb/https-server.ts'
import { noModules } from '../support/real-puppet.ts'
import { runHere } from '../support/run-here.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const uuid = '11111111-2222-4333-8444-555555555555'
export const certname = 'server.test'
export const folder = scratchFolder('masterless')
const ssldir = join(folder, 'ssl')
export const manifest = join(folder, 'site.pp')

let refused = 'nothing'
/** From now on, and to the end of the test, fails requests whose address has a text in it. */
export function refuse(text: string): void {
  refused = text
}
const answer: Answer = (response, { url, method }) => {
  const status = url.includes(refused) ? 500 : 200
  const body = method === 'PUT' ? '[]' : JSON.stringify({ uuid })
  response.writeHead(status, { 'content-type': 'application/json' }).end(status === 500 ? 'no' : body)
}

export let other: HttpsServer

beforeAll(async () => {
  const { server, client } = await identities()
  other = await httpsServer(server, answer)
  for (const name of ['certs', 'private_keys']) mkdirSync(join(ssldir, name), { recursive: true })
  writeFileSync(manifest, code)
  writeFileSync(join(ssldir, 'certs/ca.pem'), client.ca!)
  writeFileSync(join(ssldir, 'crl.pem'), client.crl!)
  writeFileSync(join(ssldir, `certs/${certname}.pem`), client.cert!)
  writeFileSync(join(ssldir, `private_keys/${certname}.pem`), client.key!)
})
beforeEach(() => {
  other.seen.length = 0
  refused = 'nothing'
})
afterAll(() => other?.stop())

export type Who = 'plumb' | 'puppet'

/** Words for a run of its own folders; the same for both. */
export function places(who: Who, routes: string): readonly string[] {
  const home = join(folder, who)
  const confdir = join(home, 'etc')
  mkdirSync(confdir, { recursive: true })
  writeFileSync(join(confdir, 'puppetdb.conf'), `[main]\nserver_urls = ${other.url}\n`)
  writeFileSync(join(confdir, 'routes.yaml'), routes === '' ? '--- {}\n' : routes)
  const own = { confdir, vardir: join(home, 'var'), ssldir, codedir: join(home, 'code'), certname }
  return toCommandLineArguments(own)
}

export async function apply(who: Who, words: readonly string[], routes = '') {
  const common = ['apply', '--detailed-exitcodes', ...places(who, routes)]
  if (who === 'plumb') return runHere([...common, '--store', 'puppetdb', ...words])
  const all = [...common, ...words]
  const rest = ['rundir', 'logdir', 'publicdir'].flatMap((name) => [`--${name}`, join(folder, who, name)])
  const { exitCode, stdout, stderr } = await execa('puppet', [...all, ...rest, ...noModules, '--color', 'false'], {
    reject: false,
  })
  return { status: exitCode, out: stdout, err: stderr }
}

export const masterless = `---
apply:
  catalog: { terminus: compiler, cache: puppetdb }
  resource: { terminus: ral, cache: puppetdb }
  facts: { terminus: facter, cache: puppetdb_apply }
`
export const code = "@@notify { 'exported': } notify { 'x': } exec { '/bin/false': }"

/** What was told, in order. */
export function told() {
  return other.seen.map(({ method, url, headers, body, client }) => {
    const { pathname, searchParams } = new URL(url, other.url)
    const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8')
    return {
      method,
      pathname,
      command: searchParams.get('command'),
      version: searchParams.get('version'),
      client,
      text,
    }
  })
}
