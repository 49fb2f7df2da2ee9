import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../../src/base/budgets/budgets.ts'
import { parseNamePattern } from '../../src/server/jolokia/bean-names.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

let repository: ControlRepository
let serving: Serving

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': "notify { 'a': }\n" })
  serving = await serve({ code_repo: repository.bare, store: 'sqlite' })
  const asked = { as: 'a.test', headers: { accept: 'application/json' } }
  await serving.call('GET', '/puppet/v3/catalog/a.test?environment=production', asked)
})
afterAll(async () => {
  await serving?.stop()
})

const compile = 'puppetserver:name=puppetlabs.localhost.compiler.compile'
const timer = {
  ...{ Mean: expect.any(Number), StdDev: expect.any(Number), Min: expect.any(Number), Max: expect.any(Number) },
  ...{
    '50thPercentile': expect.any(Number),
    '75thPercentile': expect.any(Number),
    '95thPercentile': expect.any(Number),
  },
  ...{
    '98thPercentile': expect.any(Number),
    '99thPercentile': expect.any(Number),
    '999thPercentile': expect.any(Number),
  },
  ...{ MeanRate: expect.any(Number), OneMinuteRate: expect.any(Number), FiveMinuteRate: expect.any(Number) },
  ...{ FifteenMinuteRate: expect.any(Number), RateUnit: 'events/second', DurationUnit: 'milliseconds', Count: 1 },
}
const memory = { init: 0, used: expect.any(Number), committed: expect.any(Number), max: expect.any(Number) }
const read = (mbean: string, more: object = {}) => ({ type: 'read', mbean, ...more })
const found = (request: object, value: unknown) => ({ request, value, timestamp: expect.any(Number), status: 200 })
const java = (type: string, message: string, status: number, request?: object) => ({
  ...(request && { request }),
  ...{ error_type: type, error: `${type} : ${message}`, status },
})
const illegal = (message: string) => java('java.lang.IllegalArgumentException', message, 400)

/** Each with what Puppet Server 7.9.5 answered to the same question, but for figures. */
const questions: readonly [string, object][] = [
  [`read/${compile}`, found(read(compile), timer)],
  [`read/${compile}/Count`, found(read(compile, { attribute: 'Count' }), 1)],
  [
    `read/${compile}/Count,RateUnit`,
    found(read(compile, { attribute: ['Count', 'RateUnit'] }), { Count: 1, RateUnit: 'events/second' }),
  ],
  [`read/${compile}.production/Count`, found(read(`${compile}.production`, { attribute: 'Count' }), 1)],
  [
    `read/${compile}/Nope`,
    java(
      'javax.management.AttributeNotFoundException',
      'No such attribute: Nope',
      404,
      read(compile, { attribute: 'Nope' }),
    ),
  ],
  [
    'read/puppetserver:name=nope',
    java('javax.management.InstanceNotFoundException', 'puppetserver:name=nope', 404, read('puppetserver:name=nope')),
  ],
  [
    'read/puppetserver:name=nope*',
    java(
      'javax.management.InstanceNotFoundException',
      'No MBean with pattern puppetserver:name=nope* found for reading attributes',
      404,
      read('puppetserver:name=nope*'),
    ),
  ],
  ['read/nope', illegal('Invalid object name. Key properties cannot be empty')],
  ['read', illegal('Invalid arguments in pathinfo /read for command READ')],
  ['search', illegal('Invalid arguments in pathinfo /search for command SEARCH')],
  ['nope/x', illegal("No type with name 'nope' exists")],
  [
    'search/puppetserver:*compiler*',
    illegal("Invalid object name. Invalid character found after '*': end of name or ',' expected"),
  ],
  ['search/no:*', found({ type: 'search', mbean: 'no:*' }, [])],
  ['search/java.lang:type=Mem*', found({ type: 'search', mbean: 'java.lang:type=Mem*' }, ['java.lang:type=Memory'])],
  [
    'read/puppetserver:name=puppetlabs.localhost.jruby.num*',
    found(read('puppetserver:name=puppetlabs.localhost.jruby.num*'), {
      'puppetserver:name=puppetlabs.localhost.jruby.num-jrubies': { Value: 2 },
      'puppetserver:name=puppetlabs.localhost.jruby.num-free-jrubies': { Value: 2 },
    }),
  ],
  [
    'read/java.lang:type=Memory/HeapMemoryUsage',
    found(read('java.lang:type=Memory', { attribute: 'HeapMemoryUsage' }), memory),
  ],
  [
    'read/java.lang:type=Memory/HeapMemoryUsage/used',
    found(read('java.lang:type=Memory', { attribute: 'HeapMemoryUsage', path: 'used' }), expect.any(Number)),
  ],
  [
    'read/java.lang:type=Memory/HeapMemoryUsage/nope',
    found(read('java.lang:type=Memory', { attribute: 'HeapMemoryUsage', path: 'nope' }), null),
  ],
  [
    'read/java.lang:type=Mem*/ObjectName',
    found(read('java.lang:type=Mem*', { attribute: 'ObjectName' }), {
      'java.lang:type=Memory': { ObjectName: { objectName: 'java.lang:type=Memory' } },
    }),
  ],
  [
    'read/puppetserver:name=%22puppetlabs.localhost.http.puppet-v3-catalog-!/%5C%2A!/-requests%22/Count',
    found(
      read('puppetserver:name="puppetlabs.localhost.http.puppet-v3-catalog-/\\*/-requests"', { attribute: 'Count' }),
      1,
    ),
  ],
  ['exec/java.lang:type=Memory/gc', illegal("No type with name 'exec' exists")],
  ['write/java.lang:type=Memory/Verbose/true', illegal("No type with name 'write' exists")],
  ['list/nope', found({ type: 'list', path: 'nope' }, {})],
  [
    'list/java.lang/type=Memory/attr/HeapMemoryUsage/type',
    found(
      { type: 'list', path: 'java.lang/type=Memory/attr/HeapMemoryUsage/type' },
      'javax.management.openmbean.CompositeData',
    ),
  ],
  [
    'read/puppetlabs.puppetdb.population:name=num-nodes',
    found(read('puppetlabs.puppetdb.population:name=num-nodes'), { Value: 1 }),
  ],
]

const ask = async (path: string) => {
  const { status, text, headers } = await serving.call('GET', `/metrics/v2/${path}`, { as: 'admin' })
  expect([status, headers['content-type']]).toEqual([200, 'application/json;charset=utf-8'])
  return JSON.parse(text)
}
const post = async (body: string) => {
  const { status, text } = await serving.call('POST', '/metrics/v2', {
    as: 'admin',
    body,
    headers: { 'content-type': 'application/json' },
  })
  return { status, answer: status === 200 ? JSON.parse(text) : text }
}

describe('GET /metrics/v2', () => {
  it.each(questions)('answers %s as Jolokia does, with status 200', async (path, expected) => {
    expect(await ask(path)).toEqual(expected)
  })

  it('lists every bean, and reads each', async () => {
    const { value } = await ask('list')
    expect(Object.keys(value)).toEqual(['puppetlabs.puppetdb.population', 'puppetserver', 'java.lang'])
    for (const domain of Object.keys(value)) {
      const all = (await ask(`read/${domain}:*`)).value as Record<string, Record<string, unknown>>
      expect(Object.keys(all)).toHaveLength(Object.keys(value[domain]).length)
      for (const [name, attributes] of Object.entries(all)) {
        const described = value[domain][name.slice(domain.length + 1)].attr
        expect([
          name,
          Object.keys(attributes)
            .filter((each) => each !== 'ObjectName')
            .sort(),
        ]).toEqual([name, Object.keys(described).sort()])
        expect(Object.values(attributes).filter((each) => each === undefined || Number.isNaN(each))).toEqual([])
      }
    }
  })

  it.each([undefined, 'a.test'])('is denied to %s', async (as) => {
    expect((await serving.call('GET', '/metrics/v2/version', as === undefined ? {} : { as })).status).toBe(403)
  })

  it.each(['PUT', 'DELETE'])('refuses %s', async (method) => {
    expect((await serving.call(method, '/metrics/v2', { as: 'admin' })).status).toBe(403)
  })
})

describe('POST /metrics/v2', () => {
  it('answers each of several, good and bad', async () => {
    const asked = [
      read('java.lang:type=Memory', { attribute: 'HeapMemoryUsage', path: 'used' }),
      { type: 'version' },
      read('no:x=y'),
      { type: 'bah' },
    ]
    const { answer } = await post(JSON.stringify(asked))
    expect(answer.map(({ status }: { status: number }) => status)).toEqual([200, 200, 404, 400])
  })

  it.each([
    ['[]', []],
    ['not json', illegal('Invalid JSON request that cannot be read')],
    ['', illegal('Invalid JSON request that cannot be read')],
    ['"x"', illegal('Invalid JSON request x')],
    ['{"type":"read"}', illegal('Invalid JSON request without an mbean')],
    ['{"type":7}', illegal("No type with name '7' exists")],
    [JSON.stringify(Array(201).fill({ type: 'version' })), illegal('More than 200 requests at once')],
    [`${'['.repeat(5000)}`, illegal('Invalid JSON request that cannot be read')],
  ])('answers %j', async (body, expected) => {
    expect(await post(body)).toEqual({ status: 200, answer: expected })
  })

  it('refuses a body beyond its bound', async () => {
    expect((await post(' '.repeat(budgets.telemetry.bulkBody.bound + 1))).status).toBe(413)
  })
})

describe('names of beans', () => {
  it.each([
    ['a:b=c', 'a:b=c', true],
    ['a:b=*', 'a:b=c', true],
    ['a:b=c*e', 'a:b=cde', true],
    ['a:b=c*e*', 'a:b=cdeef', true],
    ['a:b=?', 'a:b=c', true],
    ['a:b=?', 'a:b=cd', false],
    ['a*:b=c', 'abc:b=c', true],
    ['a:b=c', 'a:b=c,d=e', false],
    ['a:b=c,*', 'a:b=c,d=e', true],
    ['a:*', 'a:b=c,d=e', true],
    ['a:d=e,b=c', 'a:b=c,d=e', true],
    ['a:b="x\\*"', 'a:b="xy"', false],
    ['a:b="x*"', 'a:b="x\\*"', true],
  ])('%s has %s: %j', (pattern, name, expected) => {
    expect(parseNamePattern(pattern).matches(name)).toBe(expected)
  })

  it('are patterns where a star or a question mark stands for something', () => {
    const texts = ['a:b=c', 'a:b="x\\*"', 'a:b=c*', 'a?:b=c', 'a:b=c,*']
    expect(texts.map((text) => parseNamePattern(text).isWild)).toEqual([false, false, true, true, true])
  })
})
