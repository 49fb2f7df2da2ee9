import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { decode } from '@msgpack/msgpack'
import { describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import type { ExactJson } from '../../../src/base/json/exact-json.ts'
import { formatExactJson, parseJson } from '../../../src/base/json/json-text.ts'
import { listKnownNodes } from '../../../src/cli/input/environment-nodes.ts'
import { readStoredFacts } from '../../../src/cli/input/node-facts.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { type FactsDocument, factsFromWire, formatFactsDocument, toFactsDocument } from '../../../src/model/facts.ts'
import type { Request } from '../../../src/model/indirector/request.ts'
import type { Terminus } from '../../../src/model/indirector/terminus.ts'
import { readModelText } from '../../../src/model/model-readers.ts'
import { nodeFromWire, nodeToWire, type PuppetNode } from '../../../src/model/node.ts'
import { type ReceivedReport, reportFromWire } from '../../../src/model/report.ts'
import { type CatalogDocument, catalog } from '../../../src/server/termini/catalog/index.ts'
import { facts } from '../../../src/server/termini/facts/index.ts'
import { node } from '../../../src/server/termini/node/index.ts'
import { report } from '../../../src/server/termini/report/index.ts'
import { fileTexts } from '../../support/file-texts.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { stores } from './stores.ts'
import { type Samples, storesModels } from './stores-models.ts'

const folder = scratchFolder('every-terminus')

function settingsIn(name: string) {
  const vardir = join(folder, name)
  mkdirSync(vardir, { recursive: true })
  return loadSettings({ given: { certname: 'server.test', confdir: vardir, vardir } })
}

function servicesOf(name: string) {
  const read = async (text: Buffer) => toFactsDocument(factsFromWire(parseJson(text.toString())))
  return {
    settings: settingsIn(name),
    system: localSystem,
    files: localSystem.files,
    readText: readModelText,
    read,
    facts: { find: async () => undefined },
    log: () => {},
    web: () => Promise.reject(new Error('nobody is asked here')),
  }
}

/** Data that formats could take for something else. */
const odd = {
  none: null,
  yes: 'yes',
  no: 'no',
  octal: '0644',
  exponent: '1e3',
  date: '2026-01-01',
  time: '2026-01-01 10:00:00 Z',
  symbol: ':x',
  empty: '',
  spaces: ' a ',
  lines: 'a\n  b\n\tc\n',
  quotes: `'"\\`,
  umlaut: 'käse 🧀  \u0085\u200b',
  control: '\u0007\u001b[31m\u007f',
  float: new Number(1),
  small: 1.5e-9,
  huge: new Number(1e21),
  integer: 42,
  large: 9_007_199_254_740_993n,
  negative: -3,
  true: true,
  list: [1, [2, [3, []]], {}, { a: null }],
  '10': 'ten',
  '9': 'nine',
  '<<': { merged: 'no' },
  '=': 'equals',
  '': 'no name',
  'a: b': '- c',
  'a key # of signs': '%@`&*!|>',
  [`long ${'x'.repeat(2000)}`]: 'long key',
} as unknown as ExactJson

/** What a catalog says of a secret and of bytes; Puppet reads reports without a look at it. */
const rich = { secret: { __ptype: 'Sensitive', __pvalue: 'käse' }, binary: { __ptype: 'Binary', __pvalue: '//79' } }
const oddRich = { ...(odd as object), ...rich } as ExactJson

/** An array around an array, so many of them. */
const nested = (depth: number): ExactJson => (depth === 0 ? 1 : [nested(depth - 1), { k: 'v' }])

const json = (value: unknown) => Buffer.from(formatExactJson(value))
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')
const exact = (bytes: Uint8Array) => formatExactJson(parseJson(textOf(bytes)))

const factsOf = (name: string, values: ExactJson) =>
  toFactsDocument(factsFromWire({ name, values, timestamp: '2026-01-01T00:00:00.000000000Z' }))
const catalogOf = (name: string, value: ExactJson): CatalogDocument => {
  const resources = [{ type: 'Notify', title: 'x', tags: ['notify'], exported: false, parameters: { message: value } }]
  const head = { tags: ['a'], name, version: 12, code_id: 'c0de', catalog_uuid: 'u', catalog_format: 2 }
  const body = json({ ...head, environment: 'production', resources, edges: [], classes: ['a'] })
  return { environment: 'production', codeId: 'c0de', body }
}
const reportOf = (host: string, value: ExactJson): ReceivedReport => {
  const time = '2026-11-21T10:56:11.000000000+00:00'
  const event = {
    property: 'message',
    previous_value: 'absent',
    desired_value: value,
    name: 'x',
    status: 'success',
    time,
  }
  const status = { title: 'x', resource: 'Notify[x]', resource_type: 'Notify', time, tags: [], events: [event] }
  const text = json({
    ...{ host, time: '2026-11-21T10:56:11.123456789+00:00', status: 'changed', configuration_version: 1 },
    ...{ transaction_uuid: 'u', report_format: 12, puppet_version: '8.10.0', environment: 'production', noop: false },
    ...{
      logs: [{ level: 'notice', message: 'ä: "b"', source: 'Puppet', tags: [], time: '2026-11-21T10:56:11+00:00' }],
    },
    ...{ metrics: {}, resource_statuses: { 'Notify[x]': status } },
  })
  return { ...reportFromWire(parseJson(textOf(text))), text }
}
const nodeOf = (name: string, value: ExactJson): PuppetNode =>
  nodeFromWire({
    name,
    environment: 'production',
    classes: { ntp: { it: value }, apt: null },
    parameters: { it: value },
  })

const samples = {
  facts: {
    a: [factsOf('a', { it: 1 }), factsOf('a', odd)],
    b: factsOf('b', { it: nested(40) }),
    shown: ({ name, values, timestamp }) => [name, exact(values), timestamp],
  } satisfies Samples<FactsDocument>,
  catalog: {
    a: [catalogOf('a', 1), catalogOf('a', oddRich)],
    b: catalogOf('b', nested(40)),
    shown: ({ environment, codeId, body }) => [environment, codeId, exact(body)],
  } satisfies Samples<CatalogDocument>,
  report: {
    a: [reportOf('a', 1), reportOf('a', odd)],
    b: reportOf('b', nested(40)),
    shown: ({ host, status, text }) => [host, status, exact(text)],
  } satisfies Samples<ReceivedReport>,
  node: {
    a: [nodeOf('a', 1), nodeOf('a', odd)],
    b: nodeOf('b', nested(40)),
    shown: (each: PuppetNode) => formatExactJson(nodeToWire(each)),
  } satisfies Samples<PuppetNode>,
}
const definitions = { facts, catalog, report, node } as const

type Any = Terminus<never, Request>
const terminusOf = (indirection: keyof typeof definitions, name: string, place = `${indirection}-${name}`) => {
  const termini = definitions[indirection].termini as unknown as Record<string, { create(services: unknown): Any }>
  return termini[name]!.create(servicesOf(place)) as never as Required<Terminus<unknown>>
}

const inMemory = [
  ['facts', 'memory'],
  ['node', 'memory'],
  ['catalog', 'memory'],
  ['report', 'memory'],
] as const

for (const [indirection, name] of [...stores, ...inMemory])
  storesModels(
    `${indirection} ${name}`,
    () => terminusOf(indirection, name),
    samples[indirection] as Samples<unknown>,
    indirection === 'report' && name !== 'memory',
  )

describe.each(stores)('files of %s as %s', (indirection, name, path) => {
  const place = (within: string) => join(folder, within, path)
  const saved = async (within: string) => {
    const terminus = terminusOf(indirection, name, within)
    await terminus.save(samples[indirection].a[1], { key: 'a' })
    return terminus
  }

  it("lie where Puppet's lie, closed to others", async () => {
    const within = `place-${indirection}-${name}`
    await saved(within)
    expect(statSync(place(within)).mode & 0o777).toBe(0o640)
    expect(
      readdirSync(join(folder, within), { recursive: true }).filter((each) => /\btmp$/.test(String(each))),
    ).toEqual([])
  })

  it('that are too large are not read', async () => {
    const within = `large-${indirection}-${name}`
    const terminus = await saved(within)
    const most = indirection === 'node' ? budgets.request.nodeFile.bound : budgets.request.modelFile.bound
    truncateSync(place(within), most + 1)
    await expect(terminus.find({ key: 'a' })).rejects.toThrow(`exceeds ${most} bytes`)
  })

  it.each(['link to a device', 'folder'])('that are a %s hold up nobody', async (kind) => {
    const within = `${kind.replaceAll(' ', '-')}-${indirection}-${name}`
    const terminus = await saved(within)
    await terminus.destroy({ key: 'a' })
    if (kind === 'folder') mkdirSync(place(within))
    else symlinkSync('/dev/zero', place(within))
    await expect(terminus.find({ key: 'a' })).rejects.toThrow('is not a regular file')
    // What is saved takes the place of a link; it is never written through.
    if (kind === 'link to a device') {
      await terminus.save(samples[indirection].a[1], { key: 'a' })
      expect(statSync(place(within)).isFile()).toBe(true)
    }
  })

  it.each(['', '[1, 2', '"text"', '\0\u0001', '[]', '{}', '{"name": 3}', '9'.repeat(500)])(
    'with %.20j are an error that names them',
    async (text) => {
      const within = `broken-${indirection}-${name}`
      const terminus = await saved(within)
      writeFileSync(place(within), text)
      await expect(terminus.find({ key: 'a' })).rejects.toThrow(
        new RegExp(`^Could not parse (JSON|YAML|MessagePack) data for ${indirection} a: `),
      )
    },
  )
})

describe.each(stores.filter(([, name]) => name === 'yaml'))('YAML of %s', (indirection, name, path) => {
  const within = `yaml-${indirection}`
  const terminus = terminusOf(indirection, name, within)
  const found = async (text: string) => {
    await terminus.save(samples[indirection].a[0], { key: 'a' })
    writeFileSync(join(folder, within, path), text)
    return terminus.find({ key: 'a' })
  }
  const written = async () => {
    await terminus.save(samples[indirection].a[0], { key: 'a' })
    return readFileSync(join(folder, within, path), 'utf8')
  }

  it.each([
    ['a comment before', (text: string) => `# by hand\n\n${text}`],
    ['a directive before', (text: string) => `%YAML 1.1\n${text}`],
    ['no tag', (text: string) => text.replace(/^--- \S+\n/, '')],
    ['a comment behind the tag', (text: string) => text.replace(/^(--- \S+)\n/, '$1 # node\n')],
  ])('may have %s', async (_, change) => {
    const model = await found(change(await written()))
    const shown = samples[indirection].shown as (model: unknown) => unknown
    expect(shown(model)).toEqual(shown(samples[indirection].a[0]))
  })

  it.each([
    ['another class', (text: string) => text.replace(/^--- \S+/, '--- !ruby/object:Gem::Installer'), 'Gem::Installer'],
    ['a class within', (text: string) => `${text}x: !ruby/object:Gem::Requirement {}\n`, 'Gem::Requirement'],
    ['its own class within', (text: string) => `${text}x: ${/!\S+/.exec(text)![0]} {}\n`, 'Puppet::'],
    ['a Ruby class', (text: string) => `${text}x: !ruby/class Kernel\n`, 'Kernel'],
    ['a regular expression', (text: string) => `${text}x: !ruby/regexp /a/\n`, 'Regexp'],
    ['a date', (text: string) => `${text}x: 2026-01-01\n`, 'Date'],
  ])('is refused with %s', async (_, change, what) => {
    const text = change(await written())
    await expect(found(text)).rejects.toThrow(`Tried to load unspecified class: ${what}`)
  })

  it('is refused with aliases for very much', async () => {
    const lists = Array.from({ length: 10 }, (_, at) => `x${at + 1}: &x${at + 1} [${`*x${at},`.repeat(10)}]\n`)
    await expect(found(`${await written()}x0: &x0 [1]\n${lists.join('')}`)).rejects.toThrow(
      'aliases expand to too many',
    )
    const text = `x: &x "${'y'.repeat(100_000)}"\nz: [${'*x,'.repeat(5000)}]\n`
    await expect(found(`${await written()}${text}`)).rejects.toThrow('aliases expand to too many')
  })

  it('is refused when nested too deeply', async () => {
    await expect(found(`${await written()}x: ${'['.repeat(10_000)}\n`)).rejects.toThrow('nested too deeply')
  })

  it('grows with what it says, and not with its depth', async () => {
    const deep = Array.from({ length: 90 }).reduce<ExactJson>((inner) => [inner], Array(20_000).fill(1))
    const { yamlOfJson, jsonOfYaml } = await import('../../../src/model/model-readers.ts').then((it) => it.modelReaders)
    const yaml = yamlOfJson(json({ deep }), '!x')
    expect(yaml.length).toBeLessThan(150_000)
    expect(exact(jsonOfYaml(yaml, '!x'))).toBe(formatExactJson({ deep }))
  })
})

describe('models of earlier versions', () => {
  it.each([
    ['node', 'json', 'server_data/nodes/a.json', samples.node],
    ['facts', 'yaml', 'server_data/facts/a.json', samples.facts],
  ] as const)('%s %s are found until they are saved anew: %s', async (indirection, name, old, { a, shown }) => {
    const within = `old-${indirection}`
    const path = join(folder, within, old)
    const text =
      indirection === 'node'
        ? json(nodeToWire(a[0] as PuppetNode))
        : Buffer.concat(formatFactsDocument(a[0] as FactsDocument))
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, text)
    const terminus = terminusOf(indirection, name, within)
    const isShown = async (model: unknown) =>
      expect((shown as (model: unknown) => unknown)(await terminus.find({ key: 'a' }))).toEqual(
        (shown as (model: unknown) => unknown)(model),
      )
    await isShown(a[0])
    expect(await terminus.search({ key: '' })).toHaveLength(1)
    await terminus.save(a[1], { key: 'a' })
    // JSON of facts may be another terminus's.
    expect(existsSync(path)).toBe(indirection === 'facts')
    await isShown(a[1])
    // A crash between the two leaves both: the new one counts, and both go.
    writeFileSync(path, text)
    await isShown(a[1])
    expect(await terminus.search({ key: '' })).toHaveLength(1)
    await terminus.destroy({ key: 'a' })
    expect([await terminus.find({ key: 'a' }), existsSync(path)]).toEqual([undefined, false])
  })
})

it('facts in YAML are those that commands go by', async () => {
  const settings = { ...settingsIn('commands'), facts_terminus: 'yaml' }
  await terminusOf('facts', 'json', 'commands').save(samples.facts.b, { key: 'b' })
  await terminusOf('facts', 'yaml', 'commands').save(samples.facts.a[1], { key: 'a' })
  expect(formatExactJson(await readStoredFacts('a', settings))).toBe(exact(samples.facts.a[1].values))
  expect(formatExactJson(await readStoredFacts('b', settings))).toBe(exact(samples.facts.b.values))
  expect(await readStoredFacts('c', settings)).toEqual({})
  expect(await listKnownNodes(settings)).toEqual(['a', 'b'])
  writeFileSync(join(folder, 'commands/yaml/facts/a.yaml'), '--- !ruby/object:Gem::Installer {}\n')
  await expect(readStoredFacts('a', settings)).rejects.toThrow('Gem::Installer')
})

it('memory forgets what was not asked for longest', async () => {
  const large = { environment: 'x', codeId: undefined, body: Buffer.alloc(budgets.request.modelsInMemory.bound / 4) }
  const terminus = terminusOf('catalog', 'memory')
  for (const key of ['a', 'b', 'c', 'd', 'e']) await terminus.save(large, { key })
  const found = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => terminus.find({ key })))
  expect(found.map((each) => each !== undefined)).toEqual([false, false, true, true, true])
})

it('MessagePack is that of the library', async () => {
  await terminusOf('catalog', 'msgpack', 'library').save(samples.catalog.a[0], { key: 'a' })
  const bytes = readFileSync(join(folder, 'library/server_data/catalog/a.msgpack'))
  expect(decode(bytes)).toEqual(JSON.parse(textOf(samples.catalog.a[0].body)))
})

describe('real Puppet', () => {
  const puppet = recordedAnswers(import.meta.filename, 'Puppet 7.23.0')
  const script = `require 'puppet'
  require 'puppet/resource/catalog'
  vardir, = ARGV
  Puppet.initialize_settings(['--confdir', vardir, '--vardir', vardir])
  Puppet.settings.preferred_run_mode = :server
  models = { 'facts' => Puppet::Node::Facts, 'node' => Puppet::Node, 'catalog' => Puppet::Resource::Catalog,
             'report' => Puppet::Transaction::Report }
  Puppet.push_context(rich_data: true, loaders: Puppet::Pops::Loaders.new(Puppet::Node::Environment.create(:production, [])))
  said = STDIN.each_line.map do |line|
    indirection, terminus = line.split
    model = models[indirection]
    model.indirection.reset_terminus_class
    model.indirection.terminus_class = terminus.to_sym
    found = model.indirection.find('a')
    # Its own YAML it reads as a catalog without resources: Puppet::Resource::Catalog has no initialize_from_hash.
    if line == "catalog yaml\n"
      abort 'it reads them now' unless found.name.nil? && found.resources.empty?
      found = model.from_data_hash(YAML.safe_load(File.read("#{vardir}/yaml/catalog/a.yaml").lines.drop(1).join))
    end
    theirs = model.from_data_hash(found.to_data_hash.merge(indirection == 'report' ? {} : { 'name' => 'b' }))
    model.indirection.save(theirs, indirection == 'report' ? 'a' : 'b')
    found.to_data_hash
  end
  print JSON.generate(said, max_nesting: false)`
  const oddOf = (indirection: string) => (indirection === 'catalog' ? oddRich : odd)
  const compared = stores.filter(([, name]) => name !== 'msgpack')

  it.each(compared)('reads %s in %s from us, and we from it', async (indirection, name) => {
    const within = `real-${indirection}-${name}`
    const { a, shown } = samples[indirection] as Samples<unknown>
    const terminus = terminusOf(indirection, name, within)
    await terminus.save(a[1], { key: 'a' })
    const input = `${indirection} ${name}\n`
    const given = fileTexts(join(folder, within))
    const { stdout, written } = puppet.one(`${indirection} ${name}`, [script, input, given], () => {
      const run = ['-W0', '-e', script, join(folder, within)]
      const { stdout, stderr } = spawnSync('ruby', run, { encoding: 'utf8', input })
      expect(stderr).toBe('')
      const before = new Map(given)
      const written = fileTexts(join(folder, within)).filter(([path, text]) => before.get(path) !== text)
      return { stdout: timeless(stdout), written: written.map(([path, text]) => [path, timeless(text)] as const) }
    })
    for (const [path, text] of written) writeFileSync(join(folder, within, path), text)
    expect(written).toHaveLength(1)
    const [theirs] = parseJson(stdout) as readonly ExactJson[]
    expect(oddIn(indirection, theirs)).toBe(formatExactJson(oddOf(indirection)))
    const back = await terminus.find({ key: indirection === 'report' ? 'a' : 'b' })
    const ours = shown(back) as unknown
    expect(JSON.stringify(ours)).toContain(JSON.stringify(formatExactJson(oddOf(indirection))).slice(2, -2))
  })
})

/** Facts expire half an hour after they were saved. */
function timeless(text: string): string {
  return text.replaceAll(/(expiration\W+)[\d-]+T[\d:.]+/g, '$12100-01-01T00:30:00.000000000')
}

/** The odd data within what Puppet says of a model. */
function oddIn(indirection: string, model: ExactJson | undefined): string {
  const at = (json: unknown, ...keys: readonly (string | number)[]): unknown =>
    keys.reduce<unknown>((each, key) => (each as Record<string | number, unknown>)[key], json)
  const found = {
    facts: () => at(model, 'values'),
    node: () => at(model, 'parameters', 'it'),
    catalog: () => at(model, 'resources', 0, 'parameters', 'message'),
    report: () => at(model, 'resource_statuses', 'Notify[x]', 'events', 0, 'desired_value'),
  }
  return formatExactJson(found[indirection as keyof typeof found]())
}
