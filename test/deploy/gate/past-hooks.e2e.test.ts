import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Serving, serve } from '../../server/serving.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Edit, GateWorld } from './world.ts'

const web = (body: string): Edit => ({ 'modules/web/manifests/init.pp': `class web { ${body} }\n` })
const base: Edit = {
  'manifests/site.pp': "node /^web/ { include web }\nnode default { notify { 'other': } }\n",
  ...web("notify { 'a': }"),
}
const broken = web('include nowhere')
const better = web("notify { 'b': }")

let world: GateWorld
let serving: Serving | undefined
beforeEach(() => {
  world = new GateWorld(scratchFolder('past-hooks'), base, {})
})
afterEach(stop)

async function start(given: Readonly<Record<string, string>> = {}): Promise<void> {
  serving = await serve({ ...world.serverSettings, catalog_trace_checks: '0', ...given })
}

async function stop(): Promise<void> {
  await serving?.stop()
  serving = undefined
}

/** A server that nodes have asked. */
async function startKnowing(given: Readonly<Record<string, string>> = {}): Promise<void> {
  await start(given)
  for (const node of ['web1.test', 'db1.test']) await catalog(node)
}

async function catalog(node: string): Promise<string> {
  const document = JSON.stringify({ name: node, values: {}, timestamp: '2026-11-23', expiration: '2027-11-23' })
  const body = new URLSearchParams({
    ...{ facts_format: 'application/json', facts: encodeURIComponent(document), environment: 'production' },
    ...{ static_catalog: 'true', checksum_type: 'sha256' },
  })
  const { status, text } = await serving!.call('POST', `/puppet/v3/catalog/${node}`, {
    ...{ as: node, body: body.toString() },
    headers: { accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' },
  })
  return status === 200 ? JSON.parse(text).code_id : text
}

/** Brings a commit into the repository past all hooks, as `git fetch` in it does. */
function sneak(edit: Edit, branch = 'production'): string {
  const commit = world.commit(edit)
  world.git('--git-dir', world.bare, 'fetch', '-q', '--force', world.work, `HEAD:refs/heads/${branch}`)
  return commit
}

async function statusNow(name = 'production') {
  await serving!.server.environments.refresh()
  const status = (await serving!.server.environments.status()).find((each) => each.name === name)
  return { commit: status?.commit, refused: status?.refused?.reason }
}

const waits = 'It was pushed without the hooks; the gate is compiling the catalogs of the nodes'
/** On a busy machine a trial takes longer than a look at the branches waits. */
const slow = { interval: 100 }

/** The status of an environment whose trial is over. */
async function statusOf(name = 'production') {
  await expect.poll(async () => (await statusNow(name)).refused, slow).not.toBe(waits)
  return statusNow(name)
}
const refusal = expect.stringMatching(
  /^The gate rejected it: catalog compilation would fail on 1 node of production: .* ::nowhere \(file: modules\/web\/manifests\/init.pp, line: 1, column: 13\) .*--skip-gate production/,
)

describe('a commit that no hook saw', () => {
  it('is not served where it breaks a node, which the log, the audit log and `plumb code status` say', async () => {
    await startKnowing()
    const before = world.at()
    const commit = sneak(broken)
    expect(await statusOf()).toEqual({ commit: before, refused: refusal })
    expect(await catalog('web1.test')).toBe(before)
    expect(
      serving!.log.filter((line) => line.includes(`cannot be served at ${commit}: The gate rejected it`)),
    ).toHaveLength(1)
    expect(serving!.log.join('')).toContain('! Catalog compilation would fail on 1 node: web1.test')
    expect(await world.asking('code', 'status')).toContain(
      `${commit} was rejected: The gate rejected it: catalog compilation would fail on 1 node of production`,
    )
    const deploys = world.plumb('audit', 'log', '--kind', 'deploy', '--render-as', 'json')
    expect(deploys).toMatch(
      new RegExp(`"new":"${commit}","?.*"result":"refused"|"result":"refused".*"new":"${commit}"`),
    )
  })

  it('is served where it breaks none, or where it mends', async () => {
    await startKnowing()
    sneak(broken)
    await statusOf()
    const commit = sneak(better)
    expect(await statusOf()).toEqual({ commit, refused: undefined })
  })

  it('holds up no push that mends, and is not let in by one that does not', async () => {
    await startKnowing()
    const before = world.at()
    sneak(broken)
    await statusOf()
    // Against what was sneaked in, this breaks nothing; against what is served it does.
    const commit = world.commit({ 'README.md': 'more' })
    const { said } = await world.push()
    expect(said).toContain('1 failing as before')
    expect({ at: world.at(), ...(await statusOf()) }).toEqual({ at: commit, commit: before, refused: refusal })
    const mended = world.commit(better)
    await world.push()
    expect(await statusOf()).toEqual({ commit: mended, refused: undefined })
  })

  it.each([
    ['warn', 'warn'],
    ['off', 'off'],
    ['off for the environment', 'refuse, prod*=off'],
  ])('is served untried where the setting is %s', async (_, gate) => {
    await startKnowing({ gate })
    const commit = sneak(broken)
    expect(await statusOf()).toEqual({ commit, refused: undefined })
  })

  it('is served where somebody wants it, whom the audit log names, and stays so', async () => {
    await startKnowing()
    const commit = sneak(broken)
    await statusOf()
    expect(await world.asking('code', 'deploy', '--skip-gate')).toContain(
      '--skip-gate requires the names of environments',
    )
    const said = await world.asking('code', 'deploy', '--skip-gate', 'production')
    expect(said).toMatch(new RegExp(`^production: ${commit} since \\S*Z\\n`))
    expect(await statusOf()).toEqual({ commit, refused: undefined })
    expect(world.plumb('audit', 'log', '--kind', 'push', '--render-as', 'json')).toContain('"gate":"skipped"')
    await stop()
    await start()
    expect(await statusOf()).toEqual({ commit, refused: undefined })
  })

  it('holds up nothing else while it is tried, nor the end of the server', async () => {
    await startKnowing()
    const before = world.at()
    // Compiles for longer than a look waits, if nobody ends it.
    sneak(web('Integer[1, 40000].each |$a| { Integer[1, 40000].each |$b| { } }'))
    expect(await statusNow()).toEqual({ commit: before, refused: waits })
    world.git('reset', '-q', '--hard', 'HEAD~1')
    sneak(better, 'feature')
    expect(await statusNow('feature')).toEqual({ commit: undefined, refused: waits })
    expect(await catalog('web1.test')).toBe(before)
    await stop()
  })

  it('is tried as a new branch, too', async () => {
    await startKnowing()
    sneak(broken, 'feature')
    expect(await statusOf('feature')).toMatchObject({ commit: undefined })
    world.git('reset', '-q', '--hard', 'HEAD~1')
    const commit = sneak(better, 'feature')
    expect(await statusOf('feature')).toEqual({ commit, refused: undefined })
  })
})

describe('a server that begins', () => {
  it('serves what is there when it never served anything', async () => {
    const commit = sneak(broken)
    await start()
    expect(await statusOf()).toEqual({ commit, refused: undefined })
  })

  it('tries what came while there was none, and serves the last good commit meanwhile', async () => {
    await startKnowing()
    await stop()
    const before = world.at()
    sneak(broken)
    await start()
    await expect.poll(statusNow, slow).toEqual({ commit: before, refused: refusal })
    await stop()
    const commit = sneak(better)
    await start()
    await expect.poll(async () => (await serving!.server.environments.get('production'))?.codeId, slow).toBe(commit)
  })

  it('knows what the hook let pass while there was none', async () => {
    await startKnowing()
    await stop()
    world.know('web1.test', {})
    const commits = [world.commit(better), world.commit({ 'README.md': 'x' })]
    for (const commit of commits) expect(await world.push([`${commit}:production`])).toMatchObject({ status: 0 })
    await start()
    expect((await serving!.server.environments.get('production'))?.codeId).toBe(commits[1])
    expect(serving!.log.join('\n')).not.toContain('pushed without the hooks')
    expect(readdirSync(join(world.bare, 'plumb-passed')).sort()).toEqual(
      commits.map((commit) => `production.${commit}`).sort(),
    )
    // What is forgotten is tried once more, no worse.
    await stop()
    rmSync(join(world.bare, 'plumb-passed'), { recursive: true })
    await start()
    expect((await serving!.server.environments.get('production'))?.codeId).toBe(commits[1])
  })

  it('tries again what it has refused, after another start', async () => {
    await startKnowing()
    const before = world.at()
    sneak(broken)
    await statusOf()
    for (const _ of [1, 2]) {
      await stop()
      await start()
      expect(await statusOf()).toEqual({ commit: before, refused: refusal })
    }
  })

  it('serves what it lets pass where it can keep nothing', async () => {
    await startKnowing()
    const folder = join(world.folder, 'vardir/server_data/passed')
    const first = sneak(better)
    expect(await statusOf()).toEqual({ commit: first, refused: undefined })
    expect(readFileSync(join(folder, `production.${first}`), 'utf8')).toMatch(/^[0-9a-f]{40} passed\n$/)
    rmSync(folder, { recursive: true })
    chmodSync(join(world.folder, 'vardir/server_data'), 0o500)
    const commit = sneak(web("notify { 'c': }"))
    expect(await statusOf()).toEqual({ commit, refused: undefined })
    chmodSync(join(world.folder, 'vardir/server_data'), 0o700)
  })
})
