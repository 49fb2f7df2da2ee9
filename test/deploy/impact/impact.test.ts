import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NodeOutcome } from '../../../src/deploy/impact/impact-request.ts'
import type { Files } from '../../support/control-repository.ts'
import { FleetWorld } from './fleet-world.ts'

const options = 'lookup_options: { web::password: { convert_to: Sensitive } }\n'
const files = {
  'manifests/site.pp':
    "# comment\nnode /^web/ { include web }\nnode /^db/ { include db }\nnode broken { include breaks }\nnode default { notify { 'hello': } }\n",
  'hiera.yaml':
    "version: 5\ndefaults: { datadir: data, data_hash: yaml_data }\nhierarchy: [{ name: role, path: '%{facts.role}.yaml' }, { name: common, path: common.yaml }]\n",
  'data/common.yaml': `${options}web::port: 80\nweb::password: hidden1\nunused: 1\n`,
  'modules/web/manifests/init.pp': `class web (Integer $port, Sensitive[String] $password) {
  file { '/etc/web': content => template('web/web.erb') }
  file { '/etc/static': source => 'puppet:///modules/web/static.txt' }
  file { '/etc/folder': ensure => directory, recurse => true, source => 'puppet:///modules/web/folder' }
  file { '/etc/secret': content => $password }
}
`,
  'modules/web/templates/web.erb': "one\nport <%= @port %>\n<%= @facts['networking'] ? 'net' : 'none' %>\n",
  'modules/web/files/static.txt': 'static one\n',
  'modules/web/files/binary': Buffer.from([0, 1, 2]),
  'modules/web/files/folder/a.txt': 'a\n',
  'modules/web/files/folder/b.bin': Buffer.from([0, 1, 2]),
  'modules/web/files/unused.txt': 'nobody reads this\n',
  'modules/breaks/manifests/init.pp': "class breaks { fail('always') }\n",
  'modules/db/manifests/init.pp':
    "class db { file { '/etc/db': content => 'db', mode => '0644' } -> notify { 'after': } notify { 'first': } }\n",
}

const circle = files['modules/db/manifests/init.pp'].replace(
  "notify { 'first': }",
  "Notify['after'] -> File['/etc/db']",
)

const nodes = {
  web1: { role: 'web' },
  web2: { role: 'web' },
  db1: { role: 'db' },
  broken: { role: 'none' },
  other: { role: 'none' },
}

/** Edits, and the nodes that they change or break; the others are unaffected, but for `broken`. */
const edits: readonly (readonly [what: string, edit: Files, expected: Partial<Record<NodeOutcome, string[]>>])[] = [
  ['nothing at all', {}, {}],
  ['a comment that moves no line', { 'manifests/site.pp': files['manifests/site.pp'].replace('comment', 'words') }, {}],
  ['a file that nobody reads', { 'modules/web/files/unused.txt': 'still nobody\n' }, {}],
  [
    'a key that nobody looks up',
    { 'data/common.yaml': files['data/common.yaml'].replace('unused: 1', 'unused: 2') },
    {},
  ],
  ['a template', { 'modules/web/templates/web.erb': 'other\n' }, { changed: ['web1', 'web2'] }],
  ['data of a role', { 'data/web.yaml': 'web::port: 81\n' }, { changed: ['web1', 'web2'] }],
  ['the content of a file', { 'modules/web/files/static.txt': 'static two\n' }, { changed: ['web1', 'web2'] }],
  ['an unknown class', { 'modules/db/manifests/init.pp': 'class db { include nowhere }\n' }, { broken: ['db1'] }],
  ['a syntax error', { 'modules/db/manifests/init.pp': 'class db { file {\n' }, { broken: ['db1'] }],
  [
    'data of the wrong type',
    { 'data/common.yaml': `${options}web::port: eighty\nweb::password: hidden1\n` },
    { broken: ['web1', 'web2'] },
  ],
  [
    'another text with the same catalog',
    { 'modules/db/manifests/init.pp': files['modules/db/manifests/init.pp'].replace("'db',", '"${"db"}",') },
    { same: ['db1'] },
  ],
  ['a circle of relationships', { 'modules/db/manifests/init.pp': circle }, { broken: ['db1'] }],
  [
    'a node that is mended',
    { 'modules/breaks/manifests/init.pp': 'class breaks { include db }\n' },
    { mended: ['broken'] },
  ],
]

describe('the impact of a change of code', () => {
  let world: FleetWorld

  beforeAll(async () => {
    world = new FleetWorld(files, nodes)
    for (const node of Object.keys(nodes)) await world.agent(node).catch(() => undefined)
  })
  afterAll(() => world.close())

  it.each(edits)('%s', async (_, edit, expected) => {
    const impact = await world.impact(edit)
    const touched = Object.values(expected).flat()
    const failing = touched.includes('broken') ? [] : ['broken']
    const unaffected = Object.keys(nodes).filter((node) => !touched.includes(node) && !failing.includes(node))
    const namesOf = (groups: readonly { readonly nodes: readonly string[] }[]) => groups.flatMap((each) => each.nodes)
    expect({
      unaffected: impact.unaffected,
      changed: namesOf(impact.changed),
      broken: namesOf(impact.broken),
      failing: namesOf(impact.failing),
      ...{ same: impact.same, mended: impact.mended, fresh: impact.fresh, unchecked: impact.unchecked },
    }).toEqual({
      ...{ unaffected, changed: [], broken: [], failing, same: [], mended: [], fresh: [], unchecked: [] },
      ...expected,
    })
  })

  it('groups nodes with the same change, and shows texts line by line', async () => {
    const { changed } = await world.impact({ 'modules/web/templates/web.erb': 'one\n2\n' })
    expect(changed).toHaveLength(1)
    expect(changed[0]?.change.counts).toEqual({
      added: 0,
      removed: 0,
      changed: 1,
      moved: 0,
      edgesAdded: 0,
      edgesRemoved: 0,
    })
    expect(changed[0]?.change.changed).toEqual([
      {
        resource: 'File[/etc/web]',
        parameters: [
          { name: 'content', from: undefined, to: undefined, patch: '@@ -1,3 +1,2 @@\n one\n-port 80\n-none\n+2' },
        ],
      },
    ])
  })

  it('shows what differs in files, and of those that are no text the size', async () => {
    const { changed } = await world.impact({
      'modules/web/files/static.txt': 'static one\nmore\n',
      'modules/web/files/folder/a.txt': 'b\n',
      'modules/web/files/folder/b.bin': Buffer.from([0, 1, 2, 3]),
      'modules/web/files/folder/c.txt': 'new\n',
    })
    const parameters = changed.flatMap(({ change }) => change.changed.flatMap((each) => each.parameters))
    expect(parameters.map(({ name, patch }) => [name, patch])).toEqual([
      ['content of source', '@@ -1,1 +1,2 @@\n static one\n+more'],
      ['content of a.txt', '@@ -1,1 +1,1 @@\n-a\n+b'],
      ['content of b.bin', '… binary file: 3 bytes, now 4'],
      ['content of c.txt', undefined],
    ])
  })

  it('never shows a secret, only that it changes', async () => {
    const impact = await world.impact({ 'data/common.yaml': `${options}web::port: 80\nweb::password: hidden2\n` })
    expect(impact.changed).toHaveLength(1)
    const parameters = impact.changed.flatMap(({ change }) => change.changed.flatMap((each) => each.parameters))
    expect(parameters.map(({ name, secret, from, to }) => [name, secret, from, to])).toEqual([
      ['password', true, '[redacted]', '[redacted]'],
      ['content', true, '[redacted]', '[redacted]'],
    ])
    expect(JSON.stringify(impact)).not.toMatch(/hidden|redacted [0-9a-f]/)
  })

  it('says what is added, removed, and moved to another place', async () => {
    const text =
      "class db { notify { 'first': } notify { 'new': message => 'x' } file { '/etc/db': content => 'db' } }\n"
    const { changed } = await world.impact({ 'modules/db/manifests/init.pp': text })
    const change = changed[0]?.change
    expect(change?.added).toEqual([{ resource: 'Notify[new]', parameters: [{ name: 'message', value: 'x' }] }])
    expect(change?.removed).toEqual(['Notify[after]'])
    expect(change?.moved).toEqual(['Notify[first]'])
    expect(change?.edges).toEqual({
      added: ['Class[Db] contains Notify[new]'],
      removed: ['Class[Db] contains Notify[after]'],
    })
    expect(change?.changed).toEqual([
      {
        resource: 'File[/etc/db]',
        parameters: [
          { name: 'mode', from: '0644', to: undefined },
          { name: 'before', from: ['Notify[after]'], to: undefined },
        ],
      },
    ])
  })

  it('is bounded, however large a change is, and counts all of it', async () => {
    const many = Array.from({ length: 1500 }, (_, at) => `notify { 'n${at}': message => 'x' }`).join('\n')
    const long = Array.from({ length: 3000 }, (_, at) => `line ${at}`).join('\n')
    const { changed } = await world.impact({
      'modules/db/manifests/init.pp': `class db {\n${many}\n}\n`,
      'modules/web/templates/web.erb': `${long}\n${'y'.repeat(10_000)}\n`,
    })
    const [web, db] = changed
    expect([db?.change.counts.added, db?.change.added.length]).toEqual([1500, 1000])
    const patch = web?.change.changed[0]?.parameters[0]?.patch ?? ''
    expect(patch.split('\n').length).toBeLessThanOrEqual(401)
    expect(patch).toMatch(/\d+ more lines$|too different/)
    expect(patch.length).toBeLessThan(300_000)
  })

  it('groups equal errors, with their place', async () => {
    const impact = await world.impact({ 'modules/web/templates/web.erb': 'ok\n<%= nil.foo %>\n' })
    expect(impact.broken).toMatchObject([{ nodes: ['web1', 'web2'], file: 'modules/web/manifests/init.pp', line: 2 }])
    expect(impact.broken[0]?.message).not.toMatch(/web1|web2/)
  })

  it('takes a catalog that agents refuse for its circles for none, recalled or compiled', async () => {
    const commit = world.branch({ 'modules/db/manifests/init.pp': circle })
    for (const from of ['production', 'production']) {
      const { broken } = await world.between(from, commit)
      expect(broken).toMatchObject([{ nodes: ['db1'], file: 'modules/db/manifests/init.pp', line: 1 }])
      expect(broken[0]?.message).toBe('Found 1 dependency cycle: (File[/etc/db] => Notify[after] => File[/etc/db])')
    }
    const other = world.branch({
      'modules/db/manifests/init.pp': `${circle}# another\n`.replace("'db', mode", "'x', mode"),
    })
    expect((await world.between(commit, other)).failing.map((each) => each.nodes)).toContainEqual(['db1'])
    expect((await world.between(commit, 'production')).mended).toEqual(['db1'])
  })

  it('ends when its time is over, and says which nodes it did not check', async () => {
    const impact = await world.impact({ 'modules/web/templates/web.erb': 'late\n' }, { budgetMs: 0 })
    expect(impact.unchecked).toEqual(Object.keys(nodes))
    const ended = new AbortController()
    const seen: string[] = []
    const onNode = ({ node, outcome }: { node: string; outcome: string }) => {
      seen.push(node)
      if (outcome === 'changed') ended.abort()
    }
    const early = await world.impact(
      { 'modules/web/templates/web.erb': 'later\n' },
      { signal: ended.signal, onNode, atOnce: 1 },
    )
    expect(early.counts).toMatchObject({ changed: 1, unaffected: 2, unchecked: 2 })
    expect(seen).toEqual(['db1', 'other', 'web1'])
  })

  it('compiles what agents then recall, and leaves alone what they recall now', async () => {
    const commit = world.branch({ 'modules/web/templates/web.erb': 'ahead\n' })
    const impact = await world.between('production', commit)
    expect([impact.compiled, impact.recalled]).toEqual([4, 2])
    const again = await world.between('production', commit)
    expect([again.compiled, again.recalled]).toEqual([2, 4])
    expect(await world.agent('web1')).toBe('recalled')
    expect(await world.agent('web1', commit)).toBe('recalled')
    expect(await world.agent('web1', commit)).toBe('recalled')
  })

  it('compares with nothing where there is nothing', async () => {
    const { code } = await world.code('production', false)
    const impact = await world.between('production', 'production', { from: undefined, to: code })
    expect(impact.fresh).toEqual(['web1', 'web2', 'db1', 'other'])
    expect(impact.broken.map((each) => each.nodes)).toEqual([['broken']])
  })
})
