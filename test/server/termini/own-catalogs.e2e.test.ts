import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { parseCertificates } from '../../../src/ca/x509/certificate.ts'
import { parseRevocationLists } from '../../../src/ca/x509/revocation-list.ts'
import { verifyCatalog } from '../../../src/model/catalog-signature.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'
import { appFiles, catalogOf } from './app-catalog.ts'
import { plugInFolder } from './ruby-plug-ins/owner.ts'

type Texts = Readonly<Record<string, string>>

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/plug-ins.md'), 'utf8')
/** The termini of catalogs of the page, by paths. */
const examples = Object.fromEntries(
  [
    ...page.matchAll(
      /^`(termini\/catalog\/\w+\.js|puppet\/indirector\/catalog\/\w+\.rb)`:\n\n```\w+\n([\s\S]*?)^```$/gm,
    ),
  ].map(([, path, text]) => [path!, text!]),
)
const ofLanguage = (ending: string) =>
  Object.fromEntries(Object.entries(examples).filter(([path]) => path.endsWith(ending)))

let repository: ControlRepository
let serving: Serving | undefined
afterEach(async () => {
  await serving?.stop()
  serving = undefined
})

async function start(plugIns: Texts, settings: Texts): Promise<Serving> {
  repository = controlRepository(appFiles)
  serving = await serve({ code_repo: repository.bare, server_plugins: plugInFolder(plugIns), ...settings })
  return serving
}

/** The digest that the signature of an answer proves. */
async function signedDigest({ text, signature }: Awaited<ReturnType<typeof catalogOf>>, { settings }: Serving) {
  const trust = {
    authorities: parseCertificates(readFileSync(settings.localcacert, 'utf8')),
    lists: parseRevocationLists(readFileSync(join(settings.cadir, 'ca_crl.pem'), 'utf8')),
    revocation: 'chain',
  } as const
  return (await verifyCatalog({ wire: JSON.parse(text), text, signature }, { trust, now: new Date() })).digest
}

const digestOf = (text: string) => `{sha256}${createHash('sha256').update(text).digest('hex')}`

const terminus = (path: string, text: string): Texts => ({ [path]: text })
const inRuby = (name: string, text: string) => terminus(`puppet/indirector/catalog/${name}.rb`, text)
const inJavaScript = (text: string) => terminus('termini/catalog/own.js', text)

describe('a terminus of catalogs of the page', () => {
  it('is there in both languages', () =>
    expect(Object.keys(examples)).toEqual(['termini/catalog/packages.js', 'puppet/indirector/catalog/packages.rb']))

  it.each([
    ['JavaScript', '.js', 'settings'],
    ['Ruby', '.rb', 'routes'],
  ])('in %s is told of each catalog, compiled or recalled', async (_, ending, chosen) => {
    const confdir = scratchFolder('etc')
    if (chosen === 'routes')
      writeFileSync(join(confdir, 'routes.yaml'), 'server: { catalog: { terminus: compiler, cache: packages } }\n')
    const server = await start(ofLanguage(ending), {
      confdir,
      ...(chosen === 'settings' && { catalog_cache_terminus: 'packages' }),
    })
    const first = await catalogOf('a.test', server)
    const again = await catalogOf('a.test', server, true)
    expect([first.status, first.origin, again.origin]).toEqual([200, 'compiled', 'recalled'])
    const { code_id } = JSON.parse(first.text)
    expect(code_id).toBe(repository.git('rev-parse', 'HEAD'))
    const lines = readFileSync(join(server.settings.vardir, 'packages.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      [1, 2].map(() => ({ node: 'a.test', code_id, packages: ['nginx'] })),
    )
  })
})

/** A catalog of one resource, as code of JavaScript. */
const given = `({ name: key, environment, version: 1, code_id: null, catalog_uuid: 'u', catalog_format: 2,
  resources: [{ type: 'Notify', title: 'given to ' + os, tags: [], exported: false, parameters: { float: 1.5 } }], edges: [], classes: [] })`

describe('a terminus in place of the compiler', () => {
  it('gives catalogs that are sent as they are, and are never recalled as those of the compiler', async () => {
    const vardir = scratchFolder('var')
    const text = `export const create = () => ({
      async find({ key, environment, facts, transaction_uuid }) {
        if (key === 'none.test') return undefined
        const os = (await facts()).os + transaction_uuid
        const catalog = ${given}
        return key === 'text.test' ? JSON.stringify(catalog) : key === 'bytes.test' ? Buffer.from(JSON.stringify(catalog)) : catalog
      },
    })`
    const server = await start(inJavaScript(text), { vardir, catalog_terminus: 'own' })
    for (const node of ['a.test', 'text.test', 'bytes.test']) {
      const answer = await catalogOf(node, server)
      expect([answer.status, answer.origin]).toEqual([200, undefined])
      expect(JSON.parse(answer.text).resources).toMatchObject([{ title: 'given to xt-1' }])
      expect(await signedDigest(answer, server)).toBe(digestOf(answer.text))
    }
    const { status, text: words } = await catalogOf('none.test', server)
    expect([status, words]).toEqual([404, expect.stringContaining('Could not find catalog none.test')])
    await server.stop()
    const compiling = await start({}, { vardir })
    for (const origin of ['compiled', 'recalled']) {
      const made = await catalogOf('a.test', compiling)
      expect(made.origin).toBe(origin)
      expect(made.text).toContain('/etc/app.conf')
    }
  })

  it('in Ruby makes one', async () => {
    const text = `require 'puppet/indirector/plain'
      class Puppet::Resource::Catalog::Made < Puppet::Indirector::Plain
        def find(request)
          catalog = super
          catalog.environment = request.environment.to_s
          catalog.version = 7
          notify = Puppet::Resource.new('notify', "for #{request.options[:facts].values['os']} #{request.options[:transaction_uuid]}")
          catalog.create_resource('class', title: 'made')
          catalog.add_resource(notify)
          catalog.add_edge(catalog.resource('Class[made]'), notify)
          catalog
        end
      end\n`
    const server = await start(inRuby('made', text), { catalog_terminus: 'made' })
    const { text: sent, origin } = await catalogOf('a.test', server)
    expect(origin).toBeUndefined()
    expect(JSON.parse(sent)).toMatchObject({
      ...{ name: 'a.test', environment: 'production', version: 7, code_id: null },
      resources: [{ type: 'Class' }, { type: 'Notify', title: 'for x t-1', exported: false }],
      edges: [{ source: 'Class[Made]', target: 'Notify[for x t-1]' }],
    })
  })

  it.each([
    ['is of another node', given.replace('name: key', "name: 'b.test'"), 'returned a catalog of b.test for a.test'],
    ['is none', '({})', 'catalog.environment'],
    ['is no data', '"{"', 'JSON'],
    ['is too large', "Buffer.alloc(2 ** 26 + 1, ' ')", 'returned a catalog of more than 67108864 bytes'],
  ])('fails the request, in words, where the catalog %s', async (_, code, words) => {
    const text = `export const create = () => ({ find: ({ key, environment }) => { const os = 'x'; return ${code} } })`
    const server = await start(inJavaScript(text), { catalog_terminus: 'own' })
    const { status, text: said } = await catalogOf('a.test', server)
    expect([status, said]).toEqual([expect.any(Number), expect.stringContaining(words)])
    expect(status).toBeGreaterThanOrEqual(400)
  })
})

describe('a catalog that a terminus is told of', () => {
  it('stays what the compiler made, whatever the terminus does to it', async () => {
    const text = `export const create = () => ({ save({ bytes, json }) { json().resources.length = 0; bytes.fill(32) } })`
    const server = await start(inJavaScript(text), { catalog_cache_terminus: 'own' })
    for (const origin of ['compiled', 'recalled', 'recalled']) {
      const answer = await catalogOf('a.test', server)
      expect([answer.origin, JSON.parse(answer.text).resources.length > 3]).toEqual([origin, true])
      expect(await signedDigest(answer, server)).toBe(digestOf(answer.text))
    }
  })

  it.each([
    ['JavaScript', inJavaScript("export const create = () => ({ save() { throw new Error('no luck') } })")],
    [
      'Ruby',
      inRuby(
        'own',
        "class Puppet::Resource::Catalog::Own < Puppet::Indirector::Code; def save(_) = raise('no luck'); end",
      ),
    ],
  ])('does not go out where saving fails, in %s', async (_, plugIn) => {
    const { status, text } = await catalogOf('a.test', await start(plugIn, { catalog_cache_terminus: 'own' }))
    expect([status, text]).toEqual([500, expect.stringContaining('failed in save: no luck')])
  })
})

it.each([
  ['the compiler', 'Puppet::Resource::Catalog::Compiler', 'the server compiles catalogs itself'],
  ['a client', 'Puppet::Indirector::REST', 'a terminus cannot inherit from Puppet::Indirector::REST'],
])('a class that begins from %s is refused at the start', async (_, base, words) => {
  const text = `class Puppet::Resource::Catalog::Own < ${base}; def find(request) = super; end`
  await expect(start(inRuby('own', text), { catalog_terminus: 'own' })).rejects.toThrow(words)
})

it('a terminus has none of the names that there are', async () => {
  const plugIn = { 'termini/catalog/compiler.js': 'export const create = () => ({})' }
  await expect(start(plugIn, {})).rejects.toThrow('has the name of an existing terminus or report processor: compiler')
})
