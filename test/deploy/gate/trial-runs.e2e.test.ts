import { afterEach, describe, expect, it } from 'vitest'
import { type Serving, serve } from '../../server/serving.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Edit, GateWorld } from './world.ts'

const base: Edit = { 'manifests/site.pp': "node 'web1.test' { notify { 'web': } }\nnode default { }\n" }
const breaksWeb: Edit = { 'manifests/site.pp': "node 'web1.test' { fail('broken') }\nnode default { }\n" }
const breaksAll: Edit = { 'manifests/site.pp': "fail('broken')\n" }

let serving: Serving | undefined
afterEach(async () => {
  await serving?.stop()
  serving = undefined
})

/** An agent's request for its catalog. */
async function request(node: string, environment: string): Promise<number> {
  const document = JSON.stringify({
    name: node,
    values: { role: 'any' },
    timestamp: '2026-11-23',
    expiration: '2027-11-23',
  })
  const body = new URLSearchParams({
    ...{ facts_format: 'application/json', facts: encodeURIComponent(document), environment },
    ...{ static_catalog: 'true', checksum_type: 'sha256' },
  })
  const { status } = await serving!.call('POST', `/puppet/v3/catalog/${node}`, {
    as: node,
    headers: { accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
  })
  return status
}

describe.each(['none', 'sqlite'])('a node that tries a branch, with store = %s', (store) => {
  it('is tried in production and in the branch, by the server and by the hook alone', async () => {
    const world = new GateWorld(scratchFolder('trial'), base, {}, ['--store', store])
    world.git('checkout', '-q', '-b', 'try1')
    world.commit({ 'manifests/site.pp': `${base['manifests/site.pp']}notice('tried')\n` })
    world.git('push', '-q', world.bare, 'HEAD:try1')
    serving = await serve({ ...world.serverSettings, store })
    for (const node of ['web1.test', 'db1.test']) expect(await request(node, 'production')).toBe(200)
    expect(await request('web1.test', 'try1')).toBe(200)

    world.git('checkout', '-q', 'production')
    const good = world.at()
    world.commit(breaksWeb)
    const refused = await world.push()
    expect(refused.said).toContain('Catalog compilation would fail on 1 node: web1.test')
    expect({ status: refused.status, at: world.at() }).toEqual({ status: 1, at: good })

    world.git('checkout', '-q', 'try1')
    world.commit(breaksAll)
    const ofBranch = await world.push(['HEAD:try1'])
    expect(ofBranch.said).toContain('Catalog compilation would fail on 1 node: web1.test')
    expect(ofBranch.said).toContain('? 1 node not tested, requested other environments only (production): db1.test')
    expect(ofBranch.status).toBe(1)

    await serving.stop()
    serving = undefined
    world.git('push', '-q', '--no-verify', world.bare, ':try1')
    world.git('checkout', '-q', 'production')
    const alone = await world.push()
    expect(alone.said).toContain('Catalog compilation would fail on 1 node: web1.test')
    expect({ status: alone.status, at: world.at() }).toEqual({ status: 1, at: good })
  })
})

describe('a push with which no node is tried', () => {
  it.each<[string, readonly string[], Edit, string, string]>([
    ['without nodes', [], {}, 'production', 'production: No node was tested: no node has requested a catalog yet'],
    ['with gate = off', ['--gate', 'off'], {}, 'production', 'production: No node was tested: gate = off'],
    ['of unrelated code', [], {}, 'orphan', 'orphan: No node was tested: there is no earlier commit to compare with'],
  ])('says so: %s', async (_, settings, __, branch, line) => {
    const world = new GateWorld(scratchFolder('untried'), base, {}, settings)
    if (branch === 'orphan') world.git('checkout', '-q', '--orphan', 'orphan')
    world.commit({ 'manifests/other.pp': "notify { 'more': }\n" })
    const { said, status } = await world.push([`HEAD:${branch}`])
    expect(said).toContain(line)
    expect(status).toBe(0)
  })
})
