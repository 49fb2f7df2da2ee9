import { describe, expect, it } from 'vitest'
import { PuppetError } from '../../../src/base/issue.ts'
import { checkFileName } from '../../../src/model/indirector/file-name.ts'
import { createIndirection } from '../../../src/model/indirector/indirection.ts'
import type { Request } from '../../../src/model/indirector/request.ts'
import { checkRoutes, getRoute, type IndirectionRoute, parseRoutes } from '../../../src/model/indirector/routes.ts'
import type { IndirectionDefinition } from '../../../src/model/indirector/terminus.ts'

interface Thing {
  readonly name: string
  readonly from: string
  readonly until?: number
}

type Stores = Record<'main' | 'cache', Map<string, Thing>>

const things: IndirectionDefinition<Thing, Stores> = {
  name: 'thing',
  doc: 'Things.',
  expiration: {
    of: ({ until }) => (until === undefined ? undefined : new Date(until)),
    set: (thing, date) => ({ ...thing, until: date.getTime() }),
  },
  termini: {
    main: { doc: 'The place.', create: ({ main }) => inMap(main) },
    cache: { doc: 'The cache.', create: ({ cache }) => inMap(cache) },
    broken: {
      doc: 'Cannot be read.',
      create: ({ cache }) => ({ ...inMap(cache), find: () => Promise.reject(new Error('disk on fire')) }),
    },
    mute: { doc: 'Can nothing.', create: () => ({}) },
  },
}

function inMap(map: Map<string, Thing>) {
  return {
    find: async ({ key }: Request) => map.get(key),
    save: async (thing: Thing) => void map.set(thing.name, thing),
    destroy: async ({ key }: Request) => void map.delete(key),
  }
}

function setUp(route: IndirectionRoute, now = 1000) {
  const stores: Stores = { main: new Map(), cache: new Map() }
  const warnings: string[] = []
  const indirection = createIndirection(things, stores, route, {
    ttl: 500,
    now: () => now,
    warn: (message, error) => warnings.push(`${message}: ${(error as Error).message}`),
  })
  return { indirection, stores, warnings }
}

describe('an indirection', () => {
  it('asks the terminus, dates what it found and saves it to the cache', async () => {
    const { indirection, stores } = setUp({ terminus: 'main', cache: 'cache' })
    stores.main.set('a', { name: 'a', from: 'main' })
    expect(await indirection.find({ key: 'a' })).toEqual({ name: 'a', from: 'main', until: 1500 })
    expect(stores.cache.get('a')).toEqual({ name: 'a', from: 'main', until: 1500 })
  })

  it.each([
    ['a fresh one from the cache', { until: 1001 }, {}, 'cache'],
    ['one without a date from the cache', {}, {}, 'cache'],
    ['not a stale one', { until: 999 }, {}, 'main'],
    ['not a cached one that is to be ignored', { until: 1001 }, { ignoreCache: true }, 'main'],
  ])('answers %s', async (_, cached, flags, from) => {
    const { indirection, stores } = setUp({ terminus: 'main', cache: 'cache' })
    stores.main.set('a', { name: 'a', from: 'main' })
    stores.cache.set('a', { name: 'a', from: 'cache', ...cached })
    expect((await indirection.find({ key: 'a', ...flags }))?.from).toBe(from)
  })

  it('leaves the terminus alone, or the cache, when told to', async () => {
    const { indirection, stores } = setUp({ terminus: 'main', cache: 'cache' })
    stores.main.set('a', { name: 'a', from: 'main' })
    expect(await indirection.find({ key: 'a', ignoreTerminus: true })).toBeUndefined()
    await indirection.find({ key: 'a', ignoreCacheSave: true })
    expect(stores.cache.size).toBe(0)
  })

  it('tells of a cache that cannot be read, and goes on', async () => {
    const { indirection, stores, warnings } = setUp({ terminus: 'main', cache: 'broken' })
    stores.main.set('a', { name: 'a', from: 'main' })
    expect((await indirection.find({ key: 'a' }))?.from).toBe('main')
    expect(warnings).toEqual(['Cached thing for a failed: disk on fire'])
  })

  it('saves to both and destroys in both', async () => {
    const { indirection, stores } = setUp({ terminus: 'main', cache: 'cache' })
    await indirection.save({ name: 'a', from: 'me' }, { key: 'a' })
    expect([stores.main.size, stores.cache.size]).toEqual([1, 1])
    await indirection.expire({ key: 'a' })
    expect([stores.main.size, stores.cache.size]).toEqual([1, 0])
    await indirection.destroy({ key: 'a' })
    expect(stores.main.size).toBe(0)
  })

  it('says which terminus there is not, and which ones there are', () => {
    expect(() => setUp({ terminus: 'mian' })).toThrow('Could not find terminus mian for indirection thing')
    expect(hintOf(() => setUp({ terminus: 'mian' }))).toBe("Did you mean 'main'?")
    expect(hintOf(() => setUp({ terminus: 'toString' }))).toBe('Available: main, cache, broken, mute.')
  })

  it('refuses what a terminus cannot do', async () => {
    const { indirection } = setUp({ terminus: 'mute' })
    await expect(indirection.find({ key: 'a' })).rejects.toThrow('The mute terminus of thing does not support find')
  })
})

const diagnosticOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error instanceof PuppetError ? [error.message, error.diagnostic.hint] : [error]
  }
  return []
}

describe('routes', () => {
  const yaml = 'master:\n  facts:\n    terminus: puppetdb\n    cache: json\n  node:\n    cache: none\n'

  it('are those of the application, under either name', () => {
    const routes = parseRoutes(yaml, '/etc/routes.yaml', 'server', 'master')
    expect(getRoute(routes, 'facts', { terminus: 'json' })).toEqual({ terminus: 'puppetdb', cache: 'json' })
    expect(getRoute(routes, 'node', { terminus: 'plain', cache: 'json' })).toEqual({ terminus: 'plain' })
    expect(getRoute(routes, 'catalog', { terminus: 'compiler' })).toEqual({ terminus: 'compiler' })
  })

  it("say where they cannot be read, in Psych's words", () => {
    expect(() => parseRoutes('server:\n  a: b: c\n', '/etc/routes.yaml', 'server')).toThrow(
      'Could not configure routes from /etc/routes.yaml: (/etc/routes.yaml): mapping values are not allowed in this context at line 2 column 7',
    )
  })

  it('have the sections of Puppet and PuppetDB, and no others', () => {
    // As /usr/share/doc/puppet-terminus-puppetdb/routes.yaml.example, and PuppetDB's page about agents without a server.
    const puppetdb = 'master: {facts: {terminus: puppetdb, cache: yaml}}\n'
    const apply =
      'apply: {catalog: {terminus: compiler, cache: puppetdb}, facts: {terminus: facter, cache: puppetdb_apply}}\n'
    expect(parseRoutes(puppetdb + apply, '/r', 'server', 'master')).toEqual({
      facts: { terminus: 'puppetdb', cache: 'yaml' },
    })
    const refused = (text: string) => diagnosticOf(() => parseRoutes(text, '/r', 'server', 'master'))
    expect(refused('servr: {facts: {terminus: puppetdb}}')).toEqual([
      "Could not configure routes from /r: Unknown section 'servr'",
      "Did you mean 'server'?",
    ])
    expect(refused(`${apply}facts: {terminus: puppetdb}\nterminus: x\n`)[0]).toContain("section 'terminus'")
  })

  it('may be symbols and merged', () => {
    const text =
      'x-json: &d {terminus: memory}\nserver:\n  :facts:\n    terminus: :json\n  node: {<<: *d, cache: json}\n'
    expect(parseRoutes(text, '/etc/routes.yaml', 'server')).toEqual({
      facts: { terminus: 'json' },
      node: { terminus: 'memory', cache: 'json' },
    })
  })

  it.each([
    ['a list', '- 1'],
    ['a terminus that is a list', 'server: {facts: {terminus: [1]}}'],
    ['no YAML', 'server: ['],
    ['a date', 'server: 2020-01-01'],
    ['true for a terminus', 'server: {facts: {terminus: yes}}'],
    ['a number for a terminus', 'server: {facts: {terminus: 0644}}'],
    ['true for an indirection', 'server: {yes: {terminus: json}}'],
    ['false for a cache', 'server: {facts: {cache: no}}'],
  ])('are refused when the file has %s', (_, text) => {
    expect(() => parseRoutes(text, '/etc/routes.yaml', 'server')).toThrow(
      'Could not configure routes from /etc/routes.yaml',
    )
  })
})

describe('routes that name what is not there', () => {
  const known = { facts: ['json', 'memory'], file_content: ['file_server', 'selector'] }
  const check = (yaml: string) => () =>
    checkRoutes(parseRoutes(`server: ${yaml}`, '/etc/routes.yaml', 'server'), '/etc/routes.yaml', known)

  it.each([
    ['{fact: {terminus: json}}', 'Indirection fact does not exist', "Did you mean 'facts'?"],
    ['{nonsense: {cache: json}}', 'Indirection nonsense does not exist', 'Available: facts, file_content.'],
    ['{facts: {terminus: jsn}}', 'Could not find terminus jsn for indirection facts', "Did you mean 'json'?"],
    ['{facts: {cache: yaml}}', 'Could not find terminus yaml for indirection facts', 'Available: json, memory.'],
    [
      '{file_content: {terminus: rest}}',
      'Could not find terminus rest for indirection file_content',
      'Available: file_server, selector.',
    ],
  ])('%s', (yaml, message, hint) => {
    expect(check(yaml)).toThrow(`Could not configure routes from /etc/routes.yaml: ${message}`)
    expect(hintOf(check(yaml))).toBe(hint)
  })

  it('are not those that turn a cache off', () => expect(check('{facts: {cache: none}}')).not.toThrow())
})

describe('a key that becomes a file name', () => {
  it.each(['a.example.com', 'node_1', 'käse', 'a:b@c'])('may be %j', (key) =>
    expect(checkFileName('facts', key)).toBe(key),
  )

  it.each(['', '.', '..', '.ssh', 'a/b', '../a', 'a\\b', 'a\0b', 'a\nb', '-rf', 'x'.repeat(201)])(
    'must not be %j',
    (key) => expect(() => checkFileName('facts', key)).toThrow('Invalid key for facts'),
  )
})

function hintOf(work: () => unknown): string | undefined {
  try {
    work()
  } catch (error) {
    return (error as { diagnostic: { hint?: string } }).diagnostic.hint
  }
  return undefined
}
