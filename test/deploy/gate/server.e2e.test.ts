import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Serving, serve } from '../../server/serving.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Edit, GateWorld } from './world.ts'

const base: Edit = {
  'manifests/site.pp': "node /^web/ { include web }\nnode default { notify { 'other': } }\n",
  'modules/web/manifests/init.pp':
    "class web ($port = 80) { file { '/etc/web': content => \"${port} ${facts['role']}\" } }\n",
}
const broken: Edit = { 'modules/web/manifests/init.pp': 'class web { include nowhere\n}\n' }
const better: Edit = {
  'modules/web/manifests/init.pp':
    "class web ($port = 81) { file { '/etc/web': content => \"${port} ${facts['role']}\" } }\n",
}
/** Compiles for longer than a test waits, if nobody ends it. */
const endless: Edit = {
  'modules/web/manifests/init.pp': 'class web { Integer[1, 40000].each |$a| { Integer[1, 40000].each |$b| { } } }\n',
}

let world: GateWorld
let serving: Serving | undefined
beforeEach(() => {
  world = new GateWorld(scratchFolder('gate-server'), base, {}, ['--gate_without_server', 'refuse'])
})
afterEach(async () => {
  await serving?.stop()
  serving = undefined
})

async function start(given: Readonly<Record<string, string>> = {}): Promise<Serving> {
  serving = await serve({ ...world.serverSettings, catalog_trace_checks: '0', ...given })
  for (const node of ['web1.test', 'web2.test', 'db1.test']) await catalog(node)
  return serving
}

/** An agent's request, with a secret among its facts. */
async function catalog(node: string) {
  const values = { role: node.replace(/\d.*/, ''), password: 'a-secret-fact' }
  const document = JSON.stringify({ name: node, values, timestamp: '2026-11-23', expiration: '2027-11-23' })
  const body = new URLSearchParams({
    ...{ facts_format: 'application/json', facts: encodeURIComponent(document), environment: 'production' },
    ...{ static_catalog: 'true', checksum_type: 'sha256' },
  })
  const {
    status,
    headers,
    text: said,
  } = await serving!.call('POST', `/puppet/v3/catalog/${node}`, {
    as: node,
    headers: { accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
  })
  return { origin: headers['x-plumb-catalog'], commit: status === 200 ? JSON.parse(said).code_id : said }
}

function audit(): string {
  return world.plumb('audit', 'log', '--kind', 'push', '--render-as', 'json')
}

describe('a running server that is asked by the hook', () => {
  it('refuses what breaks a node, says where and whom, and shows no fact', async () => {
    await start()
    const before = world.at()
    world.commit(broken)
    const { status, said } = await world.push()
    expect(said).toContain('Could not find class ::nowhere (file: modules/web/manifests/init.pp, line: 1, column: 13)')
    expect(said).toContain('Catalog compilation would fail on 2 nodes: web2.test, web1.test')
    expect(said).toContain('3 nodes: 0 would change; 2 would fail; 1 unaffected')
    expect(said).not.toContain('a-secret-fact')
    expect({ status, at: world.at() }).toEqual({ status: 1, at: before })
    expect(audit()).toContain('catalog compilation would fail on 2 nodes of production')
  })

  it('lets good pushes in, whose catalogs are made by then', async () => {
    await start({ compile_ahead_workers: '2' })
    const commit = world.commit(better)
    const { status, said } = await world.push()
    expect({ status, at: world.at() }).toEqual({ status: 0, at: commit })
    expect(said).toContain('~ 2 nodes: web2.test, web1.test')
    await serving!.server.reload()
    expect(await catalog('web1.test')).toEqual({ origin: 'recalled', commit })
    expect(audit()).toContain('"gate":"passed"')
  })

  it('compares a new branch with the place that it left, and lets branches go', async () => {
    await start()
    world.git('checkout', '-q', '-b', 'feature')
    world.commit(broken)
    expect(await world.push(['HEAD:feature'])).toMatchObject({ status: 1 })
    world.git('reset', '-q', '--hard', 'HEAD~1')
    world.commit(better)
    expect((await world.push(['HEAD:feature'])).said).toContain('Effect of this push on the 3 nodes of feature')
    expect(await world.push([':feature'])).toMatchObject({ status: 0 })
    expect(await world.push(['HEAD:refs/tags/v1'])).toMatchObject({ status: 0 })
  })

  it('does not refuse what failed before', async () => {
    world = new GateWorld(scratchFolder('gate-server'), { ...base, ...broken }, {}, ['--gate_without_server', 'refuse'])
    await start()
    const commit = world.commit({ 'modules/web/manifests/init.pp': 'class web { include elsewhere }\n' })
    const { status, said } = await world.push()
    expect({ status, at: world.at() }).toEqual({ status: 0, at: commit })
    expect(said).toContain('2 failing as before')
  })
})

describe('the settings of the gate', () => {
  it.each<[string, Readonly<Record<string, string>>, string[], string]>([
    [
      'warn',
      { gate: 'warn' },
      [],
      'Warning: The push is accepted although catalog compilation will fail on 2 nodes (gate = warn)',
    ],
    ['off', { gate: 'refuse, prod*=off' }, [], '->'],
    [
      'a number of nodes',
      { gate_nodes: '1' },
      [],
      '2 nodes not tested, the setting gate_nodes limits the number of nodes: ',
    ],
    ['no time', { gate_budget: '0' }, [], 'Not checked: '],
  ])('take a push all the same: %s', async (_, given, words, said) => {
    await start(given)
    await catalog('db1.test')
    const commit = world.commit(broken)
    const pushed = await world.push([...words, 'HEAD:production'])
    expect(pushed.said).toContain(said)
    expect({ status: pushed.status, at: world.at() }).toEqual({ status: 0, at: commit })
  })

  it('let who may do so pass by, with the name in the log', async () => {
    world = new GateWorld(scratchFolder('gate-server'), base, {}, ['--gate_skip'])
    await start()
    const commit = world.commit(broken)
    const pushed = await world.push(['--push-option=plumb.skip-gate', 'HEAD:production'], { GL_USERNAME: 'bob' })
    expect(pushed.said).toContain('The gate was skipped (push option plumb.skip-gate)')
    expect(world.at()).toBe(commit)
    expect(
      audit()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toContainEqual(expect.objectContaining({ pusher: 'bob', gate: 'skipped', result: 'tried' }))
  })

  it('let nobody else', async () => {
    await start()
    world.commit(broken)
    const pushed = await world.push(['--push-option=plumb.skip-gate', 'HEAD:production'])
    expect(pushed.said).toContain('plumb.skip-gate is not allowed (gate_skip = false)')
    expect(pushed.status).toBe(1)
  })
})

describe('what must never be taken', () => {
  it('is refused while the server is away, where the setting says so; and nothing is wedged', async () => {
    world.commit(better)
    const { status, said } = await world.push()
    expect(said).toContain('No server is running, and gate_without_server = refuse')
    expect(status).toBe(1)
    await start()
    expect(await world.push()).toMatchObject({ status: 0 })
  })

  it('is refused when the server ends in the middle', async () => {
    await start()
    const before = world.at()
    world.commit(endless)
    const { ended } = world.pushing(['HEAD:production'])
    await expect.poll(background).toBe(1)
    await serving!.stop()
    serving = undefined
    expect(await ended).toMatchObject({ status: 1 })
    expect(world.at()).toBe(before)
  })

  it('stays out when the hook is killed, whose work ends; the next push lands', async () => {
    await start()
    const before = world.at()
    world.commit(endless)
    const { ended } = world.pushing(['HEAD:production'])
    await expect.poll(background).toBe(1)
    execFileSync('pkill', ['-KILL', '-f', `code check --stdin.*${world.folder}`])
    expect(await ended).toMatchObject({ status: 1 })
    await expect.poll(background).toBe(0)
    expect(world.at()).toBe(before)
    world.reset()
    const commit = world.commit(better)
    expect(await world.push()).toMatchObject({ status: 0 })
    expect(world.at()).toBe(commit)
    expect(readdirSync(join(world.bare, 'objects')).filter((name) => name.includes('incoming'))).toHaveLength(0)
  })

  /** The number of jobs that are done for nobody's agent. */
  async function background(): Promise<number> {
    const { text: said } = await serving!.call('GET', '/status/v1/services?level=debug', { as: 'admin' })
    return Number(/"background":(\d+)/.exec(said)?.[1])
  }
})

describe('the socket', () => {
  /** The reply to a request with any bytes as its body; empty if the server closes the connection. */
  const ask = (request: string, body = '{}'): Promise<string> =>
    new Promise((done) => {
      const socketPath = join(world.folder, 'rundir/control.sock')
      const headers = { 'content-type': 'application/json' }
      const sent = httpRequest({ socketPath, method: 'POST', path: `/${request}`, headers, agent: false })
      sent.once('response', (response) => void text(response).then(done, () => done('')))
      sent.on('error', () => done(''))
      sent.end(body)
    })
  const zeros = '0'.repeat(40)

  it.each<[string, (repository: string) => unknown, string]>([
    ['no JSON', () => '{', 'error'],
    ['no object', () => [], 'error'],
    ['another repository', () => ({ repository: '/etc', pushed: [], quarantine: null }), '"answer":null'],
    ['a ref that is none', (repository) => ({ repository, pushed: [{ ref: 1 }], quarantine: null }), 'error'],
    [
      'a commit that is none',
      (repository) => ({
        repository,
        pushed: [{ ref: 'refs/heads/a', before: '--upload-pack=x', after: zeros }],
        quarantine: null,
      }),
      'error',
    ],
    ['a folder elsewhere', (repository) => ({ repository, pushed: [], quarantine: '/etc' }), 'is not a quarantine'],
    [
      'a way out',
      (repository) => ({ repository, pushed: [], quarantine: `${repository}/objects/../../x` }),
      'is not a quarantine',
    ],
    [
      'a folder of objects',
      (repository) => ({ repository, pushed: [], quarantine: `${repository}/objects/pack` }),
      'is not a quarantine',
    ],
    [
      'a link elsewhere',
      (repository) => ({ repository, pushed: [], quarantine: `${repository}/objects/incoming-abcdef` }),
      'is not a quarantine',
    ],
  ])('takes no %s', async (_, asked, said) => {
    await start()
    mkdirSync(join(world.folder, 'elsewhere/incoming-abcdef'), { recursive: true })
    symlinkSync(join(world.folder, 'elsewhere/incoming-abcdef'), join(world.bare, 'objects/incoming-abcdef'))
    const given = asked(world.bare)
    expect(await ask('gate', typeof given === 'string' ? given : JSON.stringify(given))).toContain(said)
    rmSync(join(world.bare, 'objects/incoming-abcdef'))
    expect(await ask('status')).toContain('production')
  })

  it.each([
    ['{', 'error'],
    ['[]', 'error'],
    ['{"environment":1,"pusher":"x"}', 'error'],
    ['{"environment":"../etc","pusher":"x"}', '"name":"production"'],
    ['{"environment":"constructor","pusher":"x"}', '"name":"production"'],
    ['{"environment":"production","pusher":"x"}', '"name":"production"'],
  ])('skips nothing that is not refused: %s', async (asked, said) => {
    await start()
    expect(await ask('skip', asked)).toContain(said)
    expect(audit()).not.toContain('skipped')
  })

  it('answers as many as it can of 100 at once, and then all; a push among them is not let in unseen', async () => {
    await start()
    const before = world.at()
    world.commit(broken)
    const { ended } = world.pushing(['HEAD:production'])
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask('status')))
    expect(answers.filter((answer) => answer.includes('production')).length).toBeGreaterThanOrEqual(60)
    expect(await ended).toMatchObject({ status: 1 })
    expect(world.at()).toBe(before)
    expect(await ask('status')).toContain('production')
    // Those who say nothing take no more room than there is.
    const silent = Array.from({ length: 100 }, () =>
      createConnection({ path: join(world.folder, 'rundir/control.sock') }),
    )
    for (const socket of silent) socket.on('error', () => {})
    expect((await world.push()).status).toBe(1)
    expect(world.at()).toBe(before)
    for (const socket of silent) socket.destroy()
    await expect.poll(() => ask('status')).toContain('production')
    expect((await world.push()).said).toContain('Catalog compilation would fail on 2 nodes: web2.test, web1.test')
  })

  it('lets nobody send without end', async () => {
    await start()
    expect(await ask('gate', `"${'x'.repeat(1024 * 1024)}"`)).toMatch(/^$|is too large/)
    expect(await ask('status')).toContain('production')
  })
})
