import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FleetWorld } from './fleet-world.ts'

const files = {
  'manifests/site.pp': "node /^web/ { include web }\nnode /^db/ { include db }\nnode default { notify { 'hello': } }\n",
  'modules/web/manifests/init.pp':
    "class web { file { '/etc/web': content => template('web/web.erb') } file { '/etc/static': source => 'puppet:///modules/web/static.txt' } }\n",
  'modules/web/templates/web.erb': 'one\ntwo\nthree\n',
  'modules/web/files/static.txt': 'static one\n',
  'modules/db/manifests/init.pp': "class db { file { '/etc/db': content => 'db' } }\n",
}

const nodes = { web1: { role: 'web' }, web2: { role: 'web' }, db1: { role: 'db' }, other: { role: 'none' } }

describe('the impact of a change of code', () => {
  let world: FleetWorld

  beforeAll(() => {
    world = new FleetWorld(files, nodes)
  })
  afterAll(() => world.close())

  it('finds nodes that read nothing of it, and groups the others', async () => {
    const impact = await world.impact({ 'modules/web/templates/web.erb': 'one\n2\nthree\n' })
    expect(impact.counts).toMatchObject({ changed: 2, unaffected: 2, same: 0, unchecked: 0 })
    expect([impact.compiled, impact.recalled]).toEqual([6, 0])
    expect(impact.changed).toMatchObject([
      { nodes: ['web1', 'web2'], change: { changed: [{ resource: 'File[/etc/web]' }] } },
    ])
    expect(impact.changed[0]?.change.changed[0]?.parameters).toEqual([
      { name: 'content', from: undefined, to: undefined, patch: '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three' },
    ])
  })
})
