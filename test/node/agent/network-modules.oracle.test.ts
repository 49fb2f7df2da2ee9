import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { debianModules } from '../../support/debian-modules.ts'
import { noModules, withoutPuppet } from '../../support/real-puppet.ts'
import { runHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('network-modules')
const place = join(folder, 'out')
let server: Server
let address: string

beforeAll(async () => {
  mkdirSync(join(folder, 'modules'))
  for (const name of ['archive', 'stdlib']) symlinkSync(join(debianModules, name), join(folder, 'modules', name))
  server = createServer(({ method, url, headers }, response) => {
    if (url === '/moved') response.writeHead(302, { location: '/file' }).end()
    else if (url === '/private' && headers.authorization !== `Basic ${Buffer.from('anna:pw').toString('base64')}`)
      response.writeHead(401).end()
    else if (url === '/none') response.writeHead(404).end()
    else if (url === '/json') response.end('{"a":{"b":"from the web"}}')
    else if (url === '/sum') response.end(`${'0'.repeat(64)}  file\n`)
    else response.end(`${method} ${url}\n`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server?.close())

const manifests: Readonly<Record<string, string>> = {
  'a file': "archive { '@/a': source => 'ADDRESS/file', provider => 'ruby' }",
  'a redirect': "archive { '@/a': source => 'ADDRESS/moved', provider => 'ruby' }",
  'a login': "archive { '@/a': source => 'ADDRESS/private', username => 'anna', password => 'pw', provider => 'ruby' }",
  'a refused login': "archive { '@/a': source => 'ADDRESS/private', provider => 'ruby' }",
  'a missing file': "archive { '@/a': source => 'ADDRESS/none', provider => 'ruby' }",
  'a wrong checksum':
    "archive { '@/a': source => 'ADDRESS/file', checksum => '123456', checksum_type => 'sha256', provider => 'ruby' }",
  'a checksum of the server':
    "archive { '@/a': source => 'ADDRESS/file', checksum_url => 'ADDRESS/sum', checksum_type => 'sha256', provider => 'ruby' }",
  'a server that is down': "archive { '@/a': source => 'http://127.0.0.1:1/file', provider => 'ruby' }",
  'data of a Deferred function':
    "file { '@/a': content => Deferred('join', [Deferred('values', [Deferred('dig', [Deferred('loadjson', ['ADDRESS/json']), 'a'])]), '']) }",
}

interface Applied {
  readonly status: number
  readonly content: string | undefined
  readonly errors: readonly string[]
}

async function apply(
  run: (words: string[]) => Promise<{ status: number; text: string }>,
  manifest: string,
): Promise<Applied> {
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place)
  const code = manifest.replaceAll('@', place).replaceAll('ADDRESS', address)
  const { status, text } = await run(['--modulepath', join(folder, 'modules'), '--detailed-exitcodes', '-e', code])
  const file = join(place, 'a')
  // The words for an address depend on the version of Ruby.
  const errors = text
    .split('\n')
    .filter((line) => /^Error: \/Stage/.test(line))
    .map((line) => line.replace(/ - connect\(2\) for [^)]*/, ''))
  return { status, content: existsSync(file) ? readFileSync(file, 'utf8') : undefined, errors }
}

const own = async (words: string[]) => {
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var')]
  const { status, out, err } = await runHere(['apply', ...places, ...words])
  return { status, text: `${out}${err}` }
}

const real = async (words: string[]) => {
  const places = [
    '--confdir',
    join(folder, 'real/etc'),
    '--vardir',
    join(folder, 'real/var'),
    '--color=false',
    ...noModules,
  ]
  const { exitCode = 1, all } = await execa('puppet', ['apply', ...places, ...words], { reject: false, all: true })
  return { status: exitCode, text: all ?? '' }
}

it.skipIf(withoutPuppet !== '').each(Object.entries(manifests))(
  `a module that uses the network does the same as under real Puppet: %s${withoutPuppet}`,
  async (_, manifest) => {
    const [expected, found] = [await apply(real, manifest), await apply(own, manifest)]
    expect(found.content).toEqual(expected.content)
    expect(found.status).toBe(expected.status)
    expect(found.errors).toEqual(expected.errors)
  },
)
