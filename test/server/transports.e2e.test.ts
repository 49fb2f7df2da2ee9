import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const schema = 'modules/rack/lib/puppet/transport/schema'
const register = (words: string) => `Puppet::ResourceApi.register_transport(${words})\n`
const failed = (why: string) =>
  `Internal Server Error: org.jruby.exceptions.RuntimeError: (Error) Could not autoload puppet/transport/schema/plain: ${why}`

/** Schemas by environment, and what Puppet Server 7.9.5 answers to each, but where it is said. */
const cases: readonly (readonly [
  row: string,
  files: Readonly<Record<string, string>>,
  status: number,
  answer: object | string,
])[] = [
  [
    'schemas of several files, by their keys in order',
    {
      [`${schema}/rack.rb`]: `require 'puppet/resource_api'\n${register(`
        name: 'rack', desc: "Connects.\\n", features: ['remote_resource'],
        connection_info: {
          host: { type: 'String', desc: 'Where it is.' },
          port: { type: 'Optional[Integer]', desc: 'Its port.', default: 443 },
          password: { type: 'String', sensitive: true },
        },
        connection_info_order: [:port, :host]`)}`,
      [`${schema}/plain.rb`]: register("name: 'plain', desc: 'd', connection_info: {}, bar: [nil, 1.5, true]"),
      [`${schema}/deep/not.rb`]: "raise 'is not read'",
    },
    200,
    [
      {
        ...{ bar: [null, 1.5, true], connection_info: {}, connection_info_order: [], desc: 'd', name: 'plain' },
      },
      {
        connection_info: {
          host: { desc: 'Where it is.', type: 'String' },
          password: { sensitive: true, type: 'String' },
          port: { default: 443, desc: 'Its port.', type: 'Optional[Integer]' },
        },
        ...{
          connection_info_order: ['port', 'host'],
          desc: 'Connects.\n',
          features: ['remote_resource'],
          name: 'rack',
        },
      },
    ],
  ],
  [
    'what a schema requires of its module',
    {
      'modules/rack/lib/puppet_x/rack.rb': "module RackName; NAME = 'told'; end\n",
      [`${schema}/plain.rb`]: `require 'puppet_x/rack'\n${register("name: RackName::NAME, desc: 'd', connection_info: {}")}`,
    },
    200,
    [{ connection_info: {}, connection_info_order: [], desc: 'd', name: 'told' }],
  ],
  [
    'of two modules with a schema of one name, the first',
    {
      'modules/a/lib/puppet/transport/schema/plain.rb': register("name: 'first', desc: 'd', connection_info: {}"),
      [`${schema}/plain.rb`]: register("name: 'second', desc: 'd', connection_info: {}"),
    },
    200,
    [{ connection_info: {}, connection_info_order: [], desc: 'd', name: 'first' }],
  ],
  [
    'a symbol is a text, where Puppet Server cannot say it',
    {
      [`${schema}/plain.rb`]: register(
        "name: :plain, desc: 'd', connection_info: { k: { type: 'String', behaviour: :parameter } }",
      ),
    },
    200,
    [
      {
        connection_info: { k: { behaviour: 'parameter', type: 'String' } },
        ...{ connection_info_order: ['k'], desc: 'd', name: 'plain' },
      },
    ],
  ],
  ...(
    [
      ['no hash', register('[]'), 'requires a hash as schema, not `Array`'],
      ['no name', register("desc: 'd', connection_info: {}"), 'requires a `:name`'],
      ['no description', register('name: :plain, connection_info: {}'), 'requires `:desc`'],
      ['no connection', register("name: :plain, desc: 'd'"), 'requires `:connection_info`'],
      [
        'a list',
        register("name: :p, desc: 'd', connection_info: []"),
        '`:connection_info` must be a hash, not `Array`',
      ],
      ['an error', "raise 'oh'", 'oh'],
      [
        'twice',
        register("name: :p, desc: 'd', connection_info: {}").repeat(2),
        'Transport `p` is already registered for `twice`',
      ],
    ] as const
  ).map(([row, text, why]) => [row, { [`${schema}/plain.rb`]: text }, 500, failed(why)] as const),
  [
    'no Ruby',
    { [`${schema}/plain.rb`]: 'def (' },
    500,
    expect.stringMatching(
      /^Internal Server Error: .*Could not autoload puppet\/transport\/schema\/plain: .*plain\.rb:1/,
    ),
  ],
  [
    'a pattern',
    { [`${schema}/plain.rb`]: register("name: 'p', desc: /x/, connection_info: {}") },
    500,
    expect.stringContaining('contains a Regexp, which JSON does not support'),
  ],
  [
    'one that contains itself',
    { [`${schema}/plain.rb`]: `a = []\na << a\n${register("name: 'p', desc: a, connection_info: {}")}` },
    500,
    expect.stringContaining('nested more than 16 levels deep'),
  ],
  [
    'one that ends its interpreter',
    { [`${schema}/plain.rb`]: 'exit!' },
    500,
    expect.stringContaining('ended its interpreter'),
  ],
  [
    'one that reads this machine',
    { [`${schema}/plain.rb`]: `${register("name: 'p', desc: File.read('/etc/passwd'), connection_info: {}")}` },
    500,
    expect.stringContaining('No such file or directory'),
  ],
]
/** The branch of a case, a word. */
const branch = (row: string) => row.replace(/\W+/g, '_')

let serving: Serving

beforeAll(async () => {
  const repository = controlRepository({ 'manifests/site.pp': '' })
  for (const [row, files] of cases) {
    repository.git('checkout', '--quiet', 'production')
    repository.push(files, branch(row))
    repository.pin()
  }
  const auth_conf = join(scratchFolder('transports'), 'auth.conf')
  writeFileSync(
    auth_conf,
    'authorization { version: 1, rules: [ { name: "all", sort-order: 500, match-request { path: "/", type: path }, allow: "*" } ] }',
  )
  serving = await serve({ code_repo: repository.bare, auth_conf })
}, 60_000)
afterAll(() => serving?.stop())

const ask = (environment: string, headers = {}) =>
  serving.call('GET', `/puppet/v3/environment_transports?environment=${environment}`, { as: 'a.test', headers })

describe('environment_transports', () => {
  it.each(cases)('%s', async (row, _, status, answer) => {
    const name = branch(row)
    const { status: found, text } = await ask(name)
    expect([found, status === 200 ? JSON.parse(text) : text]).toEqual([
      status,
      status === 200 ? { name, transports: answer } : answer,
    ])
  })

  it('says when nothing changed', async () => {
    const name = branch(cases[0]![0])
    const { headers } = await ask(name)
    expect(await ask(name, { 'if-none-match': headers.etag })).toMatchObject({ status: 304, text: '' })
    // Keys of JSON in order, as Puppet Server writes them.
    expect((await ask(name)).text).toContain('"transports":[{"bar":[null,1.5,true],"connection_info":{}')
  })
})
