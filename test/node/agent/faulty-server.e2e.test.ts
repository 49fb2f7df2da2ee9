import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { plumbMain, type RunningServer, startServer } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('faulty')
const root = join(folder, 'root')
const node = 'node.example.test'
const plugin = join(folder, 'var/lib/puppet_x/many/release.rb')
const releases = ['one', 'two'] as const
type Release = (typeof releases)[number]
const numbers = [0, 1, 2, 3]
const sourceText = (release: string, index: number) => `${release} ${index}\n`.repeat(2000)

/** Wrong answers: bytes that mean nothing, the first half of the right one, also of the part that is asked for, and a plain "not found". */
type Fault = 'garbage' | 'half' | 'absent' | 'torn'

const garbage = Buffer.alloc(999, '<\0garbage\xff', 'latin1')

/** The wrong answer to a path, if there is to be one. */
let faultOf: (path: string) => Fault | undefined = () => undefined
/** Faults that were answered. */
let faults = 0
let server: RunningServer
const proxy = createServer({ key: '', cert: '' })

beforeAll(async () => {
  const repository = controlRepository({ 'manifests/site.pp': '' })
  for (const release of releases)
    repository.push(
      {
        ...Object.fromEntries(numbers.map((n) => [`modules/many/files/${n}`, sourceText(release, n)])),
        'modules/many/lib/puppet_x/many/release.rb': `# ${release}\n`.repeat(500),
        'manifests/site.pp': `
          file { '/tree': ensure => directory }
          [${numbers}].each |$n| { file { "/tree/source\${n}": source => "puppet:///modules/many/\${n}" } }
          [${numbers}].each |$n| { file { "/tree/content\${n}": content => "${release} \${n}\\n" } }`,
      },
      release,
    )
  server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
  await converges('one')
  const file = (...path: string[]) => readFileSync(join(server.confdir, 'ssl', ...path))
  proxy.setSecureContext({ key: file('private_keys/localhost.pem'), cert: file('certs/localhost.pem') })
  proxy.on('request', (asked, answer) => void passOn(asked, answer).catch(() => answer.destroy()))
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
}, 120_000)
afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await server?.stop()
})

/** Asks the server as the node would, and answers as well, or as badly, as it is told to. */
async function passOn(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const own = (kind: string) => readFileSync(join(folder, 'etc/ssl', kind, `${node}.pem`))
  const { 'accept-encoding': _, ...headers } = asked.headers
  const real = await new Promise<IncomingMessage>((done, failed) => {
    const identity = {
      ca: readFileSync(join(folder, 'etc/ssl/certs/ca.pem')),
      cert: own('certs'),
      key: own('private_keys'),
    }
    const { method, url: path } = asked
    const asking = request({ host: 'localhost', port: server.port, method, path, headers, ...identity }, done)
    asking.on('error', failed)
    asked.pipe(asking)
  })
  const body = await bytesOf(real)
  const fault = faultOf(asked.url ?? '')
  if (fault !== undefined) faults++
  if (fault === 'absent') answer.writeHead(404).end()
  else if (fault === 'garbage') answer.writeHead(200, { ...real.headers, 'content-length': 999 }).end(garbage)
  else if (fault === 'half') {
    answer.writeHead(200, { ...real.headers, 'content-length': Math.max(2, body.length) })
    answer.write(body.subarray(0, Math.floor(body.length / 2)), () => answer.destroy())
  } else if (fault === 'torn' && body.length > 1000) {
    answer.writeHead(real.statusCode ?? 500, real.headers)
    answer.write(body.subarray(0, Math.floor(body.length / 2)), () => answer.destroy())
  } else answer.writeHead(real.statusCode ?? 500, real.headers).end(body)
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function run(release: Release, port: number) {
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--agent_root', root]
  const who = ['--certname', node, '--key_type', 'ec', '--server', 'localhost', '--serverport', String(port)]
  const how = ['--environment', release, '--no-show_diff', '--crl_refresh_interval', '0', '--color', 'false']
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    [plumbMain, 'agent', '--test', ...places, ...who, ...how],
    { reject: false },
  )
  return { status: exitCode, said: `${stdout}\n${stderr}` }
}

const contentOf = (name: string) => readFileSync(join(root, 'tree', name), 'utf8')

/** Runs with the server itself; all is then of this release, and nothing else is there. */
async function converges(release: Release): Promise<void> {
  const { status, said } = await run(release, server.port)
  expect(status, said).toBeOneOf([0, 2])
  for (const n of numbers) {
    expect(contentOf(`source${n}`)).toBe(sourceText(release, n))
    expect(contentOf(`content${n}`)).toBe(`${release} ${n}\n`)
  }
  expect(readFileSync(plugin, 'utf8')).toBe(`# ${release}\n`.repeat(500))
}

/** Each file is of one release, whole, and there are no others. */
function expectWhole(): void {
  const names = numbers.flatMap((n) => [`content${n}`, `source${n}`])
  expect(readdirSync(join(root, 'tree')).sort()).toEqual(names.sort())
  for (const n of numbers) {
    expect(releases.map((release) => sourceText(release, n))).toContain(contentOf(`source${n}`))
    expect(releases.map((release) => `${release} ${n}\n`)).toContain(contentOf(`content${n}`))
  }
  expect(readdirSync(join(plugin, '..'))).toEqual(['release.rb'])
  expect(releases.map((release) => `# ${release}\n`.repeat(500))).toContain(readFileSync(plugin, 'utf8'))
  const cache = join(folder, 'var/client_data/catalog')
  expect(readdirSync(cache)).toEqual([`${node}.json`])
  expect(() => JSON.parse(readFileSync(join(cache, `${node}.json`), 'utf8'))).not.toThrow()
  expect(existsSync(join(folder, 'var/state/agent_catalog_run.lock'))).toBe(false)
}

const fileByFile = (path: RegExp) => (fault: Fault) => (asked: string) =>
  asked.startsWith('/plumb/v1/plugins') ? 'absent' : path.test(asked) ? fault : undefined
const only = (path: RegExp) => (fault: Fault) => (asked: string) => (path.test(asked) ? fault : undefined)

const interrupted = 'Request to https://localhost:\\d+/\\S+ interrupted after'
const unreadable = 'Could not read the response from https://localhost:\\d+/\\S+: Unexpected token'
const noCatalog = 'Error: Could not retrieve catalog; skipping run'

/** What the run says of an answer that means nothing, and of one that does not come whole. */
interface Kind {
  readonly name: string
  readonly at: (fault: Fault) => typeof faultOf
  /** The exit statuses, one run after the other; what could be changed was changed. */
  readonly statuses: readonly [garbage: number, cut: number]
  readonly says: readonly [garbage: string, cut: string]
}

const kinds: readonly Kind[] = [
  {
    name: 'the request for revoked certificates',
    at: only(/certificate_revocation_list/),
    statuses: [2, 0],
    says: [
      'Warning: Failed to refresh CRL, using existing CRL: Failed to parse CRLs as PEM',
      `Warning: Failed to refresh CRL, using existing CRL: ${interrupted}`,
    ],
  },
  {
    name: 'the request for all plug-ins',
    at: only(/^\/plumb\/v1\/plugins/),
    statuses: [2, 1],
    says: ['Warning: .*; downloading each file separately', `Error: ${interrupted}[^]*${noCatalog}`],
  },
  {
    name: 'the request for the list of plug-ins',
    at: fileByFile(/file_metadatas\/plugins/),
    statuses: [1, 1],
    says: [`Error: ${unreadable}[^]*${noCatalog}`, `Error: ${interrupted}[^]*${noCatalog}`],
  },
  {
    name: 'a request for a plug-in',
    at: fileByFile(/file_content\/plugins/),
    statuses: [1, 1],
    says: [
      `release.rb\\]: Could not evaluate: File written to disk did not match desired checksum[^]*${noCatalog}`,
      `release.rb\\]: Could not evaluate: ${interrupted}[^]*${noCatalog}`,
    ],
  },
  {
    name: 'the request for the catalog',
    at: only(/^\/puppet\/v3\/catalog\//),
    statuses: [1, 1],
    says: [
      `Error: Could not retrieve catalog from remote server: ${unreadable}[^]*${noCatalog}`,
      `Error: Could not retrieve catalog from remote server: ${interrupted}[^]*${noCatalog}`,
    ],
  },
  {
    name: 'a request for a file',
    at: only(/static_file_content/),
    statuses: [6, 4],
    says: [
      'Error: /Stage\\[main\\]/Main/File\\[/tree/source0\\]/content: change .* failed: File written to disk did not match desired checksum; discarding changes',
      `Error: /Stage\\[main\\]/Main/File\\[/tree/source0\\]/content: change .* failed: ${interrupted}`,
    ],
  },
  {
    name: 'the report it is sent',
    at: only(/^\/puppet\/v3\/report\//),
    statuses: [2, 0],
    says: [`Error: Could not send report: ${unreadable}`, `Error: Could not send report: ${interrupted}`],
  },
]

describe('a server that answers with garbage, or not to the end,', () => {
  let next = 1
  it.each(kinds)(
    '$name: it is said, nothing is half there, and the next run converges',
    async ({ at, statuses, says }) => {
      const release = releases[next++ % 2]!
      for (const [index, fault] of (['garbage', 'half'] as const).entries()) {
        faults = 0
        faultOf = at(fault)
        const { status, said } = await run(release, (proxy.address() as AddressInfo).port)
        faultOf = () => undefined
        expect(faults).toBeGreaterThan(0)
        expect(said).toMatch(new RegExp(says[index]!))
        expect(status, said).toBe(statuses[index])
        expectWhole()
      }
      await converges(release)
    },
  )
})

it('downloads that are torn again and again go on where they ended', async () => {
  const release = contentOf('content0').startsWith('one') ? 'two' : 'one'
  faults = 0
  faultOf = only(/static_file_content|file_content\/plugins/)('torn')
  const { status, said } = await run(release, (proxy.address() as AddressInfo).port)
  faultOf = () => undefined
  expect(status, said).toBe(2)
  expect(faults).toBeGreaterThan(2 * numbers.length)
  for (const n of numbers) expect(contentOf(`source${n}`)).toBe(sourceText(release, n))
})
