// Filebuckets of a server, beside real Puppet: backups go there, and content comes back by its checksum.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HttpsServer, httpsServer } from '../../store/puppetdb/https-server.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { plumb, type RunningServer, startServer } from '../../support/plumb.ts'
import { hasPuppet, noModules, withoutPuppet } from '../../support/real-puppet.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('server-buckets')
const certname = 'node.test'
const bytes = Buffer.from([0x6f, 0x6c, 0x64, 0xff, 0x00, 0x0a])
const sumOf = (content: string | Uint8Array, algorithm = 'sha256') =>
  createHash(algorithm).update(content).digest('hex')

let server: RunningServer
let liar: HttpsServer

beforeAll(async () => {
  server = await startServer({ repository: controlRepository({ 'manifests/site.pp': '' }).bare })
  const { exitCode } = await plumb(['ca', 'generate', '--certname', certname, ...server.places])
  expect(exitCode).toBe(0)
  const read = (name: string) => readFileSync(join(server.confdir, 'ssl', name), 'utf8')
  const tls = { key: read('private_keys/localhost.pem'), cert: read('certs/localhost.pem'), ca: read('certs/ca.pem') }
  liar = await httpsServer(tls, (response) => void response.end('something else'))
})
afterAll(async () => {
  await liar?.stop()
  await server?.stop()
})

type Who = 'plumb' | 'puppet'

async function apply(who: Who, manifest: string, ...words: string[]) {
  const home = join(folder, who)
  mkdirSync(join(home, 'files'), { recursive: true })
  const file = join(home, 'site.pp')
  writeFileSync(file, manifest.replaceAll('@', join(home, 'files')))
  const places = {
    ...{ confdir: join(home, 'etc'), vardir: join(home, 'var'), ssldir: join(server.confdir, 'ssl'), certname },
    ...{
      codedir: join(home, 'code'),
      publicdir: join(home, 'public'),
      rundir: join(home, 'run'),
      logdir: join(home, 'log'),
    },
    ...{ server: 'localhost', serverport: String(server.port) },
  }
  const all = [...Object.entries(places).flatMap(([name, value]) => [`--${name}`, value]), ...words, file]
  if (who === 'plumb') return runHere(['apply', '--detailed-exitcodes', '--verbose', ...all])
  const words7 = ['apply', '--detailed-exitcodes', '--verbose', '--color', 'false', ...noModules]
  const { exitCode, stdout, stderr } = await execa('puppet', [...words7, ...all], { reject: false })
  return { status: exitCode, out: stdout, err: stderr }
}

const fileOf = (who: Who, name: string) => join(folder, who, 'files', name)
const main = "filebucket { 'main': path => false }\n"
const kept = (sum: string) => join(server.vardir, 'bucket', ...sum.slice(0, 8), sum)

describe.skipIf(!hasPuppet)(`filebuckets of a server${withoutPuppet}`, () => {
  it.each(['puppet', 'plumb'] as const)('%s backs up there, and restores from there', async (who) => {
    mkdirSync(join(folder, who, 'files'), { recursive: true })
    const old = Buffer.concat([bytes, Buffer.from(who)])
    const sum = sumOf(old)
    writeFileSync(fileOf(who, 'a'), old)
    const changed = await apply(who, `${main}file { '@/a': content => 'new', backup => 'main' }`)
    expect(changed.status, changed.err).toBe(2)
    expect(changed.out).toContain(`Filebucketed ${fileOf(who, 'a')} to main with sum ${sum}`)
    expect(readFileSync(join(kept(sum), 'contents'))).toEqual(old)
    expect(readFileSync(join(kept(sum), 'paths'), 'utf8')).toBe(`${fileOf(who, 'a').slice(1)}\n`)
    for (const name of ['a', 'fresh']) {
      const restored = await apply(who, `${main}file { '@/${name}': content => '{sha256}${sum}', backup => 'main' }`)
      expect(restored.status, restored.err).toBe(2)
      expect(readFileSync(fileOf(who, name))).toEqual(old)
    }
    const again = await apply(who, `${main}file { '@/a': content => '{sha256}${sum}', backup => 'main' }`)
    expect(again.status).toBe(0)
  })

  it.each(['puppet', 'plumb'] as const)('%s leaves a file as it is where the bytes are not there', async (who) => {
    writeFileSync(fileOf(who, 'b'), 'mine')
    const sum = sumOf(`nowhere ${who}`)
    const { status, err } = await apply(who, `${main}file { '@/b': content => '{sha256}${sum}', backup => 'main' }`)
    expect(status).toBe(4)
    expect(err).toContain(`Could not retrieve content for {sha256}${sum} from filebucket: `)
    expect(readFileSync(fileOf(who, 'b'), 'utf8')).toBe('mine')
  })

  it.each(['puppet', 'plumb'] as const)('%s changes nothing that cannot be backed up', async (who) => {
    writeFileSync(fileOf(who, 'c'), 'mine')
    const away = ['--serverport', '1']
    const { status, err } = await apply(who, `${main}file { '@/c': content => 'new', backup => 'main' }`, ...away)
    expect(status).toBe(4)
    expect(err).toContain(`Could not back up ${fileOf(who, 'c')}: `)
    expect(readFileSync(fileOf(who, 'c'), 'utf8')).toBe('mine')
  })
})

describe('a filebucket that names its server', () => {
  it('is asked there, and its bytes are looked at', async () => {
    const port = new URL(liar.url).port
    const other = `filebucket { 'other': path => false, server => 'localhost', port => '${port}' }\n`
    writeFileSync(fileOf('plumb', 'd'), 'mine')
    const sum = sumOf('what it should be')
    const wrong = await apply('plumb', `${other}file { '@/d': content => '{sha256}${sum}', backup => 'other' }`)
    expect([wrong.status, wrong.err]).toEqual([4, expect.stringContaining('does not match its expected sum')])
    expect(readFileSync(fileOf('plumb', 'd'), 'utf8')).toBe('mine')
    const md5 = sumOf('something else', 'md5')
    const file = `file { '@/d': content => '{md5}${md5}', checksum => md5, backup => 'other' }`
    expect((await apply('plumb', `${other}${file}`)).status).toBe(2)
    expect(readFileSync(fileOf('plumb', 'd'), 'utf8')).toBe('something else')
    expect(liar.seen.filter(({ method }) => method === 'GET').map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET /puppet/v3/file_bucket_file/sha256/${sum}?environment=production`,
      `GET /puppet/v3/file_bucket_file/md5/${md5}?environment=production`,
    ])
  })

  it.each(['../../etc/passwd', 'A'.repeat(64), 'a'.repeat(63), `${'a'.repeat(64)}/x`])(
    'is not asked for %s',
    async (sum) => {
      liar.seen.length = 0
      const { status, err } = await apply(
        'plumb',
        `${main}file { '@/e': ensure => file, content => '{sha256}${sum}', backup => 'main' }`,
      )
      expect([status, err]).toEqual([4, expect.stringContaining('Invalid checksum')])
    },
  )
})
