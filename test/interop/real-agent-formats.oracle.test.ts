import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { without } from '../support/needs.ts'
import { type RunningServer, startServer } from '../support/plumb.ts'
import { noModules } from '../support/real-puppet.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

/** A form that an agent can prefer, and the media types of what then crosses the wire. */
interface Form {
  readonly form: string
  /** The type of plain data, such as metadata of files and reports. */
  readonly plain: string
  /** The type of a catalog for an agent that takes rich data: where it prefers PSON, that is named before rich JSON. */
  readonly richCatalog: string
}

const forms: readonly Form[] = [
  { form: 'msgpack', plain: 'application/x-msgpack', richCatalog: 'application/vnd.puppet.rich+msgpack' },
  { form: 'pson', plain: 'text/pson', richCatalog: 'text/pson' },
  { form: 'json', plain: 'application/json', richCatalog: 'application/vnd.puppet.rich+json' },
]

/** Bytes that are no text. */
const bytes = Buffer.from([0, 255, 254, 10, 128])
const base64 = bytes.toString('base64')

const files = (target: string) => ({
  'manifests/site.pp': `$own = "${target}/\${trusted['certname']}"
file { $own: ensure => directory }
file { "\${own}/static": ensure => file, source => 'puppet:///modules/demo/static' }
file { "\${own}/tree": ensure => directory, recurse => true, source => 'puppet:///modules/demo/tree' }
file { "\${own}/fact": ensure => file, content => String($facts['probe']) }
file { "\${own}/bytes": ensure => file, content => Binary('${base64}') }
file { "\${own}/secret": ensure => file, content => Sensitive('hush') }
notify { 'typed':
  noop    => true,
  message => [Timestamp('2020-01-02T03:04:05Z'), Timespan('0-01:02:03'), /a+/, SemVer('1.2.3'), 1.0, 9007199254740993, 'é', default],
}
`,
  'modules/demo/files/static': bytes,
  'modules/demo/files/tree/sub/é name': 'two\n',
  'modules/demo/lib/facter/probe.rb': "Facter.add(:probe) { setcode { { 'half' => 0.5, 'text' => 'é' } } }\n",
})

const kinds = ['rich', 'plain'] as const

const leftOut = without('real Puppet 7.23', 'ruby-msgpack')

describe.skipIf(leftOut !== '')(`a real Puppet agent that prefers a form of data${leftOut}`, () => {
  const target = scratchFolder('formats-target')
  let server: RunningServer

  beforeAll(async () => {
    const repository = controlRepository(files(target))
    // Puppet 7's default: a value that the form cannot hold is text, with a warning; `error` refuses the catalog.
    const settings = { autosign: 'true', reports: 'store', strict: 'warning' }
    server = await startServer({ repository: repository.bare, settings })
  })

  afterAll(() => server?.stop())

  const agent = (home: string, certname: string, form: string, kind: string) =>
    execa(
      'puppet',
      [
        ...['agent', '--test', '--color', 'false', '--http_debug', '--server', 'localhost'],
        ...['--serverport', String(server.port), '--certname', certname, '--keylength', '2048'],
        ...['--preferred_serialization_format', form, `--${kind === 'rich' ? '' : 'no-'}rich_data`],
        ...['confdir', 'vardir', 'ssldir', 'codedir', 'rundir', 'logdir', 'publicdir'].flatMap((name) => [
          `--${name}`,
          join(home, name),
        ]),
        ...noModules,
      ],
      { reject: false, all: true },
    )

  describe.each(forms)('$form', ({ form, plain, richCatalog }) => {
    it.each(kinds)('a whole run with %s data, and a second one that changes nothing', async (kind) => {
      const certname = `${form}-${kind}.test`
      const home = scratchFolder(`formats-${form}-${kind}`)
      const first = await agent(home, certname, form, kind)
      expect(first.exitCode, first.all).toBe(2)

      const own = (name: string) => readFileSync(join(target, certname, name))
      expect(own('static').equals(bytes)).toBe(true)
      expect(String(own('tree/sub/é name'))).toBe('two\n')
      expect(String(own('fact'))).toBe("{'half' => 0.5, 'text' => 'é'}")
      expect(String(own('secret'))).toBe('hush')

      const isRich = kind === 'rich' && richCatalog.includes('.rich+')
      expect(own('bytes').equals(isRich ? bytes : Buffer.from(base64))).toBe(true)

      const talk = exchanges(first.all ?? '')
      expect(typesOf(talk, 'catalog')).toEqual([kind === 'rich' ? richCatalog : plain])
      expect(typesOf(talk, 'file_metadatas')).toEqual([plain])
      expect(sentTypes(talk, 'report')).toEqual([plain])
      expect(talk.map(({ status }) => status).filter((status) => status >= 400 && status !== 404)).toEqual([])
      expect(readdirSync(join(server.vardir, 'reports', certname))).toHaveLength(1)

      const second = await agent(home, certname, form, kind)
      expect(second.exitCode, second.all).toBe(0)
    })
  })
})

/** One request and its answer, of what the agent prints with `--http_debug`. */
interface Exchange {
  readonly path: string
  readonly sent: string | undefined
  readonly status: number
  readonly type: string | undefined
}

/** The exchanges that a log of `--http_debug` shows. */
function exchanges(log: string): readonly Exchange[] {
  return log.split(/^(?=<- "(?:GET|PUT|POST) )/m).flatMap((text) => {
    const [, path] = /^<- "(?:GET|PUT|POST) (\S+)/.exec(text) ?? []
    const [, status] = /^-> "HTTP\/1\.1 (\d+)/m.exec(text) ?? []
    if (path === undefined || status === undefined) return []
    const [, sent] = /^<- ".*\\r\\nContent-Type: ([^\\;]+)/im.exec(text) ?? []
    const [, type] = /^-> "Content-Type: ([^\\;]+)/im.exec(text) ?? []
    return [{ path, sent, status: Number(status), type }]
  })
}

const of = (talk: readonly Exchange[], indirection: string) =>
  talk.filter(({ path }) => path.startsWith(`/puppet/v3/${indirection}/`))

/** The media types of good answers from an indirection, each once. */
function typesOf(talk: readonly Exchange[], indirection: string): unknown[] {
  return [...new Set(of(talk, indirection).flatMap(({ status, type }) => (status === 200 ? [type] : [])))]
}

/** The media types of bodies sent to an indirection, each once. */
function sentTypes(talk: readonly Exchange[], indirection: string): unknown[] {
  return [...new Set(of(talk, indirection).map(({ sent }) => sent))]
}
