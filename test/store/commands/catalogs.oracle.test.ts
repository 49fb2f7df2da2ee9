import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { classNames, sampleOf } from '../../../scripts/conformance/classes.js'
import { PuppetError } from '../../../src/base/issue.ts'
import { type ExactJson, type ExactObject, getMember } from '../../../src/base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../../src/base/json/json-text.ts'
import type { CompileEnvironment } from '../../../src/code/environments/compile-environment.ts'
import { openCommandLineCode } from '../../../src/code/environments/environment-opener.ts'
import { compile } from '../../../src/compiler/compile.ts'
import type { CompileRequest } from '../../../src/compiler/request/compile-request.ts'
import { formatPublicSettings } from '../../../src/machine/settings/public-settings.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import type { FullCatalog } from '../../../src/model/catalog.ts'
import { formatCatalog } from '../../../src/model/catalog-text.ts'
import { buildTrustedFacts } from '../../../src/node/facts/trusted.ts'
import type { StoredCatalog } from '../../../src/store/commands/command.ts'
import { readCommand } from '../../../src/store/commands/read-command.ts'
import { buildCatalogPayloadV1, encodeCatalogPayload } from '../../../src/store/commands/writing/catalog.ts'
import { debianModules } from '../../support/debian-modules.ts'
import { without } from '../../support/needs.ts'
import { isNight } from '../../support/nightly.ts'
import { received } from './command-cases.ts'
import { askTerminus, canonical } from './terminus.ts'

const missing = without('real Puppet 7.23', 'puppet-terminus-puppetdb', "Debian's modules")
const sending = { transactionUuid: null, jobId: '7', producer: 'puppet', producerTimestamp: '2026-11-22T06:32:59.123Z' }
const facts = JSON.parse(readFileSync('test/oracle/facts.json', 'utf8')) as Record<string, ExactJson>

/** Classes of Debian's modules that compile; all of them by night. */
const wanted = isNight ? Number.POSITIVE_INFINITY : 40

describe.skipIf(missing !== '')(`catalogs of Debian's classes${missing}`, () => {
  const catalogs: FullCatalog[] = []

  beforeAll(() => {
    const environment = parts(undefined, [debianModules])
    const all = classNames(debianModules) as string[]
    for (const name of wanted < all.length ? sampleOf(all, wanted * 3) : all) {
      if (catalogs.length >= wanted) break
      const catalog = fullCatalog(environment, [name])
      if (catalog) catalogs.push(catalog)
    }
  }, 1_200_000)

  it('are enough', () => {
    expect(catalogs.length).toBeGreaterThanOrEqual(Math.min(wanted, 500))
  })

  it('are sent as puppet-terminus-puppetdb sends them', () => {
    for (let at = 0; at < catalogs.length; at += 100) requireEqual(catalogs.slice(at, at + 100))
  }, 1_200_000)

  it('are read as they are written, version 9', () => {
    for (const catalog of catalogs) {
      const payload = buildPayload(catalog) as Record<string, ExactJson>
      expect(read(9, payload).resources.length).toBe(catalog.resources.length)
    }
  }, 600_000)

  it('keep every rule of version 1', () => {
    for (const catalog of catalogs) {
      const { resources, edges } = read(3, buildCatalogPayloadV1(catalog, sending))
      expect(resources.length).toBe(catalog.resources.length)
      expect(edges.length).toBeGreaterThanOrEqual(catalog.edges.length)
    }
  }, 600_000)
})

const code = `
file { '/a': path => '/b', alias => ['x', 'y'], tag => ['z', 'b'] }
notify { 'secret': message => Sensitive('s'), require => File['/a/'] }
notify { 'rich':
  message => [/x/, /a\\/b/, default, 1.0, 1e30, { 1 => 2, '__ptype' => 3 }, { '__pvalue' => 1 }, { default => 1, undef => 4 },
    undef, Integer[1, 2], Timestamp('2026-01-01'), Timespan('1-00:00:00'), SemVer('1.2.3'), URI('http://a/b'), Binary('aGk='),
    File['/x'], Class['foo::bar'], Type[Integer], Regexp[/x/], Deferred('notice', [1])],
  before => Notify['secret'],
}
exec { 'e': command => '/bin/true', subscribe => [File['/b'], [Notify['secret']]], notify => [Notify['last']] }
notify { 'last': withpath => true, before => Notify['collected'] }
@@notify { 'exported': require => File['/a'] }
@@notify { 'collected': }
Notify <| title == 'collected' |>
class foo { package { 'p': name => 'q', alias => 'r' } }
include foo
define bar($more = 1) { notify { $title: } }
bar { 'b1': require => Class['foo'], subscribe => Package['r'] }
Class['foo'] -> Notify['secret'] ~> Bar['b1']
create_resources('notify', { 5 => {} })
schedule { 's': range => '2-4' }
file { '/tmp/x/': ensure => directory }
user { 'u': gid => 5, groups => ['b', 'a'], require => [File['/tmp/x/'], Class['foo']] }
`

const refused = [
  "notify { 'a': require => File['/a/'] } file { '/a/': }",
  "notify { 'a': require => 'file[/a]' }",
  "notify { 'a': before => Notify['b'] } @@notify { 'b': }",
  "notify { 'a': tag => ['b', 'a'], audit => ['b', 'a'] }",
  "class a { notify { 'a': subscribe => Stage['main'] } } stage { 'first': before => Stage['main'] } class { 'a': stage => 'first' }",
  'notice(1)',
]

describe.skipIf(missing !== '')(`code that Puppet compiles too${missing}`, () => {
  it('gives the same payload, or the same error', () => {
    const codes = [code, ...refused]
    const real = askTerminus(codes.map((each) => ({ kind: 'manifest', name: 'web1', code: each, options: sending })))
    const ours: ExactJson[] = []
    for (const each of codes) {
      const environment = parts(each, [])
      ours.push(outcome(() => buildPayload(compiled(environment, [])!)))
    }
    for (const [index, each] of codes.entries())
      expect(comparable(ours[index]!), each).toEqual(comparable(real[index]!))
  }, 60_000)
})

function buildPayload(catalog: FullCatalog): ExactObject {
  return parseJson(new TextDecoder().decode(encodeCatalogPayload(catalog, sending))) as ExactObject
}

function requireEqual(catalogs: readonly FullCatalog[]): void {
  const requests = catalogs.map((catalog) => ({
    kind: 'catalog',
    catalog: parseJson(formatCatalog(catalog, { richData: true })),
    virtual: catalog.resources.filter(({ virtual }) => virtual).map(({ type, title }) => [type, title]),
    options: sending,
  }))
  const real = askTerminus(requests as unknown as readonly ExactJson[], debianModules)
  expect(real.filter((each) => getMember(each, 'error') !== undefined)).toEqual([])
  for (const [index, catalog] of catalogs.entries())
    expect(canonical(withoutMain(buildPayload(catalog))), catalog.classes.join()).toEqual(
      canonical(asLoaded(real[index]!)),
    )
}

function outcome(make: () => ExactObject): ExactJson {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { error: error.message }
  }
}

/** Without what differs from one compilation to the next. */
function comparable(payload: ExactJson): ExactJson {
  const { version, catalog_uuid, ...rest } = payload as Record<string, ExactJson>
  return parseJson(text(rest).replace(/"file":"[^"]*",|file: [^ ,]*, /g, ''))
}

/**
 * Puppet takes the title `main` of a class that it reads from a catalog for a class's name, and that of a stage for text: it
 * is a symbol in a catalog that Puppet compiled itself. Those are compared below.
 */
function asLoaded(payload: ExactJson): ExactJson {
  const classes = text(payload).replaceAll('"title":"Main","type":"Class"', '"title":"main","type":"Class"')
  return withoutMain(parseJson(classes))
}

/** Edges have no order: Puppet lists those of a catalog that it reads in another one. */
function withoutMain(payload: ExactJson): ExactJson {
  const { resources, edges, ...rest } = payload as Record<string, readonly Record<string, ExactJson>[]>
  return {
    ...rest,
    edges: edges!.map(text).sort(),
    resources: resources!.map((each) => (each['title'] === 'main' ? { ...each, parameters: null } : plainTitle(each))),
  }
}

/** A title that was a number has its text for another name; in JSON, from which Puppet has the catalog here, it is that text. */
function plainTitle(resource: Record<string, ExactJson>): ExactJson {
  const { title, parameters } = resource
  const { name, alias, ...others } = parameters as Record<string, ExactJson>
  const isNumber =
    /^\d+$/.test(String(title)) && name === title && formatExactJson(alias ?? null) === formatExactJson([title!])
  return isNumber ? { ...resource, parameters: others } : resource
}

function text(payload: ExactJson): string {
  return formatExactJson(canonical(payload))
}

function read(version: number, payload: ExactObject): StoredCatalog {
  const command = {
    name: 'replace catalog',
    version,
    payload: Buffer.from(formatExactJson(payload)),
    received,
  } as const
  return readCommand(command).payload as StoredCatalog
}

function parts(manifest: string | undefined, modulepath: readonly string[]): CompileEnvironment {
  const by = manifest === undefined ? undefined : { text: manifest }
  return openCommandLineCode({ name: 'production', modulepath, manifest: by })
}

function fullCatalog(environment: CompileEnvironment, classes: readonly string[]): FullCatalog | undefined {
  try {
    return compiled(environment, classes)
  } catch (error) {
    if (error instanceof PuppetError) return undefined
    throw error
  }
}

function compiled(environment: CompileEnvironment, classes: readonly string[]): FullCatalog | undefined {
  const settings = loadSettings({ given: { confdir: '/nonexistent', basemodulepath: '' } })
  const request: CompileRequest = {
    node: { name: 'web1', environment: environment.name, parameters: {}, classes },
    facts: classes.length === 0 ? {} : facts,
    trusted: buildTrustedFacts({ authenticated: 'local', certname: 'web1' }),
    serverFacts: {},
    environment,
    staticChecksum: undefined,
    settings: formatPublicSettings(settings),
    strict: 'warning',
    strictVariables: false,
    wantsFull: true,
  }
  return compile(request).full
}
