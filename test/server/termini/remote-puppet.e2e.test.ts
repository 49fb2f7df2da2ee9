import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSettings, type Settings } from '../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { factsFromWire, toFactsDocument } from '../../../src/model/facts.ts'
import { createIndirection } from '../../../src/model/indirector/indirection.ts'
import { readModelText } from '../../../src/model/model-readers.ts'
import { catalog } from '../../../src/server/termini/catalog/index.ts'
import { facts } from '../../../src/server/termini/facts/index.ts'
import { fileBucketFile } from '../../../src/server/termini/file-bucket-file/index.ts'
import { fileContent } from '../../../src/server/termini/file-content/index.ts'
import { fileMetadata } from '../../../src/server/termini/file-metadata/index.ts'
import { node } from '../../../src/server/termini/node/index.ts'
import { createRemotePuppet, type RemotePlace } from '../../../src/server/termini/remote-puppet.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'

const rule = (path: string, who: string, order: number) =>
  `{name: "${path} ${order}", match-request: {path: "${path}", type: path}, ${who}, sort-order: ${order}}`
/** Another node's catalog, facts and node are for one server alone, by this rule. */
const authConf = `authorization: {version: 1, rules: [
  ${rule('/puppet/v3', 'allow: compiler.test', 400)}
]}
`

let there: Serving
let settings: Settings
const open: { close(): void; closeAllConnections(): void }[] = []

beforeAll(async () => {
  const repository = controlRepository({
    'manifests/site.pp': `notify { "for \${facts['colour']}": }
notify { "proven \${trusted['authenticated']} of \${trusted['certname']}": }
`,
    'modules/demo/files/a.txt': 'content of a\n',
  })
  const confdir = scratchFolder('remote-puppet')
  writeFileSync(join(confdir, 'auth.conf'), authConf)
  there = await serve({ confdir, code_repo: repository.bare, facts_terminus: 'json' })
  settings = await settingsFor('compiler.test')
})
afterAll(async () => {
  for (const each of open) {
    each.closeAllConnections()
    each.close()
  }
  await there?.stop()
})

/** Settings of a server that asks the other one by the certificate of this name. */
async function settingsFor(certname: string, own: Readonly<Record<string, string>> = {}): Promise<Settings> {
  const folder = scratchFolder('asks')
  const { key, cert } = await there.credentials(certname)
  const from = (name: 'localcacert' | 'hostcrl') => there.settings[name]
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'key.pem'), key)
  writeFileSync(join(folder, 'cert.pem'), cert)
  return loadSettings({
    runMode: 'server',
    env: {},
    given: {
      ...{ confdir: folder, vardir: folder, certname, serverport: '8140' },
      ...{ localcacert: from('localcacert'), hostcrl: from('hostcrl') },
      ...{ hostcert: join(folder, 'cert.pem'), hostprivkey: join(folder, 'key.pem') },
      server_list: `localhost:${new URL(there.server.url).port}`,
      ...own,
    },
  })
}

const sent = toFactsDocument(
  factsFromWire({ name: 'node.test', values: { colour: 'blue' }, timestamp: '2026-01-01T00:00:00.000000000+00:00' }),
)

function indirections(own: Settings = settings) {
  const remote = () => createRemotePuppet(own, localSystem.files)
  const services = {
    ...{ settings: own, files: localSystem.files, commands: localSystem.commands, system: localSystem },
    ...{ readText: readModelText, remote, environments: there.server as never },
    read: async (text: Buffer) => toFactsDocument(factsFromWire(JSON.parse(text.toString()))),
    facts: { find: async () => undefined },
  }
  const route = { terminus: 'rest' }
  return {
    facts: createIndirection(facts, services, route),
    node: createIndirection(node, services, route),
    catalog: createIndirection(catalog, services as never, route),
    metadata: createIndirection(fileMetadata, services, route),
    content: createIndirection(fileContent, services, route),
    bucket: createIndirection(fileBucketFile, services, route),
  }
}

const fileQuery = {
  ...({ links: 'manage', checksumType: 'sha256', sourcePermissions: 'ignore', recurse: true } as const),
  ...{ recurselimit: undefined, maxFiles: 0, ignore: [], warn: () => {} },
}
const environment = 'production'
const askedFor = (key: string) => ({
  ...{ key, environment, facts: sent, static: false, checksumTypes: 'sha256', checkEnvironment: false, rich: true },
  trusted: { authenticated: 'remote', extensions: {} } as const,
})

describe('another server', () => {
  it('takes facts, and compiles with them', async () => {
    const all = indirections()
    await all.facts.save(sent, { key: 'node.test', environment })
    expect(await all.facts.find({ key: 'node.test', environment })).toBeUndefined()
    const found = await all.catalog.find(askedFor('node.test'))
    expect(found?.environment).toBe(environment)
    const text = Buffer.from(found!.body).toString()
    expect(text).toContain('for blue')
    // Else the node would have what the code there gives the server that speaks for it.
    expect(text).toContain('proven false of "')
  })

  it('describes nodes and files', async () => {
    const all = indirections()
    expect(await all.node.find({ key: 'node.test', environment })).toMatchObject({ parameters: { colour: 'blue' } })
    const query = fileQuery
    const one = await all.metadata.find({ key: 'modules/demo/a.txt', environment, query })
    expect(one?.checksum.value).toBe(`{sha256}${sha256Hex('content of a\n')}`)
    const some = await all.metadata.search({ key: 'modules/demo', environment, query })
    expect(some?.map(({ relativePath }) => relativePath)).toContain('a.txt')
    expect(await all.metadata.find({ key: 'modules/demo/none', environment, query })).toBeUndefined()
  })

  it('gives the bytes of files, of a commit, too', async () => {
    const all = indirections()
    const bytes = async (request: Parameters<typeof all.content.find>[0]) => {
      const found = await all.content.find(request)
      return found && found !== 'directory' ? String(await buffer(found.content as never)) : found
    }
    expect(await bytes({ key: 'modules/demo/a.txt', environment })).toBe('content of a\n')
    const codeId = (await all.catalog.find(askedFor('node.test')))?.codeId
    expect(codeId).toMatch(/^[0-9a-f]{40}$/)
    expect(await bytes({ key: 'modules/demo/files/a.txt', environment, codeId })).toBe('content of a\n')
    expect(await bytes({ key: 'modules/demo/none', environment })).toBeUndefined()
    await expect(bytes({ key: 'modules/demo/manifests/init.pp', environment, codeId })).rejects.toThrow('Error 403')
  })

  it('keeps files in its bucket', async () => {
    const { bucket } = indirections()
    const content = Buffer.from('kept\n')
    const key = `sha256/${sha256Hex('kept\n')}`
    expect(await bucket.find({ key, environment })).toBeUndefined()
    for (const size of [content.length, 0])
      await bucket.save({ size, content: only(content) }, { key: `${key}/etc/kept`, environment })
    expect(await bucket.find({ key, environment, head: true })).toBeDefined()
    const found = await bucket.find({ key, environment })
    expect(String(await buffer(found!.content as never))).toBe('kept\n')
  })
})

describe('another server refuses', () => {
  it('in its own words, whoever has no rule', async () => {
    const all = indirections(await settingsFor('stranger.test'))
    await expect(all.catalog.find(askedFor('node.test'))).rejects.toThrow('Error 403 on SERVER: Forbidden request')
    await expect(all.facts.save(sent, { key: 'node.test', environment })).rejects.toThrow('Error 403')
  })

  it.each(['../facts/node.test', 'modules/../../catalog/node.test', 'modules/./a', ''])(
    'is not even asked for %j',
    async (key) => {
      const { content } = indirections()
      await expect(content.find({ key, environment })).rejects.toThrow('Invalid key for file_content')
    },
  )

  it('is not asked where it is this one', async () => {
    const own = await settingsFor('compiler.test', { server_list: 'compiler.test:8140' })
    expect(() => createRemotePuppet(own, localSystem.files)).toThrow('points to this server itself')
  })
})

it('refuses what another server handed on to it where it would hand it on', async () => {
  const folder = scratchFolder('circle')
  writeFileSync(join(folder, 'routes.yaml'), 'server:\n  report: {terminus: rest}\n  file_content: {terminus: rest}\n')
  const serving = await serve({
    route_file: join(folder, 'routes.yaml'),
    environmentpath: folder,
    server: 'elsewhere.test',
  })
  try {
    const status = async (method: string, path: string, via: string) =>
      (await serving.call(method, `/puppet/v3/${path}?environment=x`, { as: 'n.test', headers: { via } })).status
    const handedOn = '1.1 proxy, 1.1 plumb'
    expect(await status('PUT', 'report/n.test', handedOn)).toBe(508)
    expect(await status('GET', 'file_content/modules/a/b', handedOn)).toBe(508)
    expect(await status('GET', 'static_file_content/modules/a/files/b', handedOn)).toBe(508)
    expect(await status('GET', 'file_metadata/modules/a/b', handedOn)).toBe(404)
    expect(await status('PUT', 'report/n.test', '1.1 proxy')).toBe(404)
  } finally {
    await serving.stop()
  }
})

type Answer = Parameters<typeof createServer>[1]

/** A server of the same authority that answers as it likes. */
async function hostile(
  answer: NonNullable<Answer>,
  { as, timeoutMs = 60_000, fileTimeoutMs = 60_000 }: { as?: string; timeoutMs?: number; fileTimeoutMs?: number } = {},
) {
  const { hostcert, hostprivkey } = there.settings
  const theirs = { cert: readFileSync(hostcert), key: readFileSync(hostprivkey) }
  const server = createServer(as === undefined ? theirs : await there.credentials(as), answer)
  open.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const own = await settingsFor('compiler.test', { server_list: `localhost:${port}` })
  return createRemotePuppet(own, localSystem.files, { timeoutMs, fileTimeoutMs })
}

const file: RemotePlace = { indirection: 'file_content', key: 'modules/a/b', query: {} }

describe('a server that means ill', () => {
  it('and never answers is left', async () => {
    const remote = await hostile(() => {}, { timeoutMs: 500 })
    await expect(remote.find(file)).rejects.toThrow('did not respond within 0.5 seconds')
    await expect(remote.open(file)).rejects.toThrow('did not respond within 0.5 seconds')
  })

  it('and sends without end is cut off, and gives its places back', async () => {
    const remote = await hostile(
      (_, answer) => {
        answer.writeHead(200, { 'content-length': 10 })
        answer.write('x')
      },
      { fileTimeoutMs: 20_000 },
    )
    for (let round = 0; round < 2; round++) {
      const opened = await Promise.all(Array.from({ length: 32 }, () => remote.open(file)))
      await expect(remote.open(file)).rejects.toThrow('is busy')
      await Promise.all(opened.map((each) => expect(buffer(each!.content)).rejects.toThrow()))
    }
  })

  it('and says no size of a file, as Puppet Server, is believed up to the budget', async () => {
    let pieces = 3
    const remote = await hostile(async (_, answer) => {
      answer.writeHead(200)
      answer.setMaxListeners(0)
      const piece = Buffer.alloc(1024 * 1024, 65)
      for (let sent = 0; sent < pieces && !answer.destroyed; sent++)
        if (!answer.write(piece)) await Promise.race([once(answer, 'drain'), once(answer, 'close')])
      answer.end()
    })
    const { size, content } = (await remote.open(file))!
    expect([size, (await buffer(content)).length]).toEqual([undefined, 3 * 1024 * 1024])
    pieces = Number.POSITIVE_INFINITY
    let arrived = 0
    const endless = async () => {
      for await (const chunk of (await remote.open(file))!.content) arrived += chunk.length
    }
    await expect(endless()).rejects.toThrow('the file exceeds 268435456 bytes')
    expect(arrived).toBeLessThanOrEqual(268_435_456)
  })

  it.each([
    ['a length beyond the budget', { 'content-length': '99999999999' }, 'the file has 99999999999 bytes'],
    [
      'compressed bytes',
      { 'content-length': '5', 'content-encoding': 'gzip' },
      'response is compressed against the request',
    ],
  ])('and gives %s is not believed', async (_, headers, why) => {
    const remote = await hostile((_request, answer) => {
      answer.writeHead(200, headers)
      answer.write('x')
    })
    await expect(remote.open(file)).rejects.toThrow(why)
  })

  it('and sends fewer bytes than it said fails the file', async () => {
    const remote = await hostile((_, answer) => {
      answer.writeHead(200, { 'content-length': 10 })
      answer.write('short', () => answer.destroy())
    })
    await expect(buffer((await remote.open(file))!.content)).rejects.toThrow()
  })

  it('and has the certificate of another name is not asked', async () => {
    let asked = 0
    const remote = await hostile(() => void asked++, { as: 'other.test' })
    await expect(remote.find(file)).rejects.toThrow('did not match server certificate')
    expect(asked).toBe(0)
  })

  it('and redirects an upload gets it once', async () => {
    const paths: (string | undefined)[] = []
    const remote = await hostile((request, answer) => {
      paths.push(request.url)
      request.resume()
      answer.writeHead(307, { location: '/elsewhere' }).end()
    })
    const place = { indirection: 'file_bucket_file', key: 'sha256/0', query: {} }
    await expect(remote.send(place, { size: 4, content: only(Buffer.from('kept')) })).rejects.toThrow('Error 307')
    expect(paths).toEqual(['/puppet/v3/file_bucket_file/sha256/0'])
  })
})

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
