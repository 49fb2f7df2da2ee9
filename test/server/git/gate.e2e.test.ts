import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Edit, GateWorld } from '../../deploy/gate/world.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'
import { Clone, GitClients } from './git-clients.ts'

const base: Edit = {
  'manifests/site.pp': 'include web\n',
  'modules/web/manifests/init.pp': 'class web ($port = 80) { file { \'/etc/web\': content => "${port}" } }\n',
}
const broken = { 'modules/web/manifests/init.pp': 'class web { include nowhere\n}\n' }
const better = {
  'modules/web/manifests/init.pp': 'class web ($port = 81) { file { \'/etc/web\': content => "${port}" } }\n',
}

let world: GateWorld
let serving: Serving | undefined
let clone: Clone
beforeEach(() => {
  world = new GateWorld(scratchFolder('git-gate'), base, {})
})
afterEach(async () => {
  await serving?.stop()
  serving = undefined
})

async function start(given: Readonly<Record<string, string>> = {}): Promise<void> {
  serving = await serve({ ...world.serverSettings, catalog_trace_checks: '0', ...given })
  const clients = new GitClients(serving)
  const shown = { token: await clients.token('jane', 'code-push') }
  const cwd = clients.place('work')
  const cloned = await clients.run(['clone', '-q', clients.address('control'), cwd], shown)
  expect(cloned).toMatchObject({ status: 0 })
  clone = new Clone(clients, cwd, shown)
  const facts = JSON.stringify({ name: 'web1.test', values: {}, timestamp: '2026-11-23', expiration: '2027-11-23' })
  const body = new URLSearchParams({
    facts_format: 'application/json',
    facts: encodeURIComponent(facts),
    environment: 'production',
    static_catalog: 'true',
    checksum_type: 'sha256',
  })
  const headers = { accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await serving.call('POST', '/puppet/v3/catalog/web1.test', {
    as: 'web1.test',
    headers,
    body: body.toString(),
  })
  expect(answer.status).toBe(200)
}

describe('the gate of a push over HTTPS', () => {
  it('refuses what breaks a node, and lets the rest in', async () => {
    await start()
    const before = world.at()
    await clone.commit(broken)
    const { status, said } = await clone.push('production')
    expect(said).toContain('Catalog compilation would fail on 1 node: web1.test')
    expect(said).toContain('The push is rejected: ')
    expect({ status, at: world.at() }).toEqual({ status: 1, at: before })
    const commit = await clone.commit(better)
    const landed = await clone.push('production')
    expect(landed.said).toContain('1 node: web1.test')
    expect({ status: landed.status, at: world.at() }).toEqual({ status: 0, at: commit })
    const audit = world.plumb('audit', 'log', '--kind', 'push', '--render-as', 'json')
    expect(audit.match(/"pusher":"token 'jane'"/g)?.length).toBe(3)
    expect(audit).toContain('"gate":"refused"')
    expect(audit).toContain('"gate":"passed"')
  })

  it('refuses manifests in which the linter finds errors', async () => {
    world.plumb('code', 'install-hooks', world.bare, '--push_lint=refuse')
    await start()
    const before = world.at()
    await clone.commit({ 'modules/web/manifests/init.pp': 'class web { \n}\n' })
    const { status, said } = await clone.push('production')
    expect(said).toContain('The push is rejected: plumb lint reports 1 error and 1 warning (push_lint = refuse)')
    expect({ status, at: world.at() }).toEqual({ status: 1, at: before })
    const audit = world.plumb('audit', 'log', '--kind', 'push', '--render-as', 'json')
    expect(audit).toMatch(/"pusher":"token 'jane'".*"lint":"refused"/)
  })

  it('is passed by with an option of the push, where that is allowed, with the name of who did it', async () => {
    // The hooks that were installed have their settings from puppet.conf, or from their own words.
    world.plumb('code', 'install-hooks', world.bare, '--gate_skip')
    await start({ gate_skip: 'true' })
    const commit = await clone.commit(broken)
    const { status, said } = await clone.push('--push-option=plumb.skip-gate', 'production')
    expect(said).toContain('Warning: The gate was skipped (push option plumb.skip-gate)')
    expect({ status, at: world.at() }).toEqual({ status: 0, at: commit })
    const audit = world.plumb('audit', 'log', '--kind', 'push', '--render-as', 'json')
    expect(audit).toMatch(/"pusher":"token 'jane'".*"gate":"skipped"/)
  })
})
