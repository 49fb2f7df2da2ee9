import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa, execaSync } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { addToken, getTokenPaths } from '../../src/server/auth/token-file.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type GitHost, openGitHost } from '../support/git-host.ts'
import { plumb, type RunningServer, startServer } from '../support/plumb.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

/** Two processors may be shared by many. */
const patience = { interval: 200 }
const site = (word: string) => ({ 'manifests/site.pp': `notify { '${word}': }\n` })

describe('a server whose code comes from sources', () => {
  let host: GitHost
  let local: ControlRepository
  let serving: Serving
  let file: string
  const control = () => `  control: {remote: "${host.url}/control.git", interval: 1d}`
  const write = (...lines: string[]) => writeFileSync(file, `sources:\n${lines.join('\n')}\n`)
  beforeAll(async () => {
    host = await openGitHost()
    host.commit('control', site('one'), 'production')
    host.commit('control', site('two'), 'feature/x-1')
    local = controlRepository(site('local'))
    file = join(scratchFolder('sources'), 'r10k.yaml')
    write(control(), `  local: {remote: "${local.bare}", prefix: true, interval: 1d}`)
    serving = await serve({ code_sources: file })
  })
  afterAll(async () => {
    await serving?.stop()
    await host?.close()
  })

  const order = (body: unknown, call: { as?: string; headers?: Record<string, string> } = { as: 'admin.test' }) =>
    serving.call('POST', '/code/v1/fetch', { ...call, body: typeof body === 'string' ? body : JSON.stringify(body) })
  const places = () => ['--confdir', join(serving.folder, 'etc'), '--vardir', join(serving.folder, 'var')]
  const code = (...words: string[]) => plumb(['code', ...words, ...places()])
  const served = async () =>
    Object.fromEntries((await serving.server.environments.status()).map(({ name, commit }) => [name, commit]))

  it('serves the environments of all from its first moment, out of one store for its user alone', async () => {
    expect(Object.keys(await served())).toEqual(['feature_x_1', 'local_production', 'production'])
    const { text } = await serving.call('GET', '/puppet/v3/environments', { as: 'node.test' })
    expect(Object.keys(JSON.parse(text).environments)).toContain('local_production')
    const store = join(serving.folder, 'var/sources/code.git')
    expect(serving.settings.code_repo).toBe(store)
    expect(statSync(store).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(serving.folder, 'var/sources/incoming'))).toEqual([])
  })

  it('fetches on POST /code/v1/fetch, and answers what moved and what is served then', async () => {
    const commit = host.commit('control', site('three'), 'production')
    const { status, text } = await order({ source: 'control' })
    const { fetches, environments } = JSON.parse(text)
    expect(status).toBe(200)
    expect(fetches).toMatchObject([
      { source: 'control', result: 'changed', changes: [{ ref: 'heads/production', new: commit }] },
    ])
    expect(environments.map(({ name }: { name: string }) => name)).toEqual(['feature_x_1', 'production'])
    expect((await served())['production']).toBe(commit)
  })

  it('fetches the source of an environment, one that is new, all, and without anybody who waits', async () => {
    const one = local.push(site('more'))
    const answer = JSON.parse((await order({ environment: 'local_production' })).text)
    expect(answer.fetches.map(({ source }: { source: string }) => source)).toEqual(['local'])
    expect(answer.environments).toMatchObject([{ name: 'local_production', commit: one }])
    const fresh = host.commit('control', site('new'), 'new')
    expect(JSON.parse((await order({ environment: 'new' })).text).environments).toMatchObject([
      { name: 'new', commit: fresh },
    ])
    expect(JSON.parse((await order('')).text).fetches).toHaveLength(2)
    const later = host.commit('control', site('later'), 'production')
    expect(await order({ wait: false })).toMatchObject({ status: 202, text: '{"queued":["control","local"]}' })
    await expect.poll(async () => (await served())['production'], patience).toBe(later)
  })

  it.each<[unknown, number, string]>([
    ['{', 400, 'malformed-request'],
    [[], 400, 'malformed-request'],
    [{ sauce: 'control' }, 400, 'malformed-request'],
    [{ source: 1 }, 400, 'malformed-request'],
    [{ wait: 'yes' }, 400, 'malformed-request'],
    [{ source: 'contrl' }, 404, "Did you mean 'control'?"],
    [{ source: 'nosuch', wait: false }, 404, 'unknown-source'],
    [{ environment: 'nosuch' }, 404, 'unknown-environment'],
  ])('answers %j with %d', async (body, status, words) => {
    const answer = await order(body)
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(words)
  })

  it('reads no order that is too large', async () => {
    expect((await order(`{"source":"${'x'.repeat(70_000)}"}`)).status).toBe(413)
  })

  it('does so for administrators and tokens that may, and for nobody else', async () => {
    const token = async (scope: string) =>
      addToken(
        getTokenPaths(serving.settings).tokens,
        { name: scope, description: '', scopes: [scope], expires: undefined },
        localSystem.files,
        Date.now(),
      )
    const withToken = async (scope: string) => ({ headers: { 'x-authentication': await token(scope) } })
    expect((await order({ source: 'local' }, await withToken('fetch'))).status).toBe(200)
    expect((await order({ source: 'local' }, await withToken('query'))).status).toBe(403)
    expect((await order({ source: 'local' }, { as: 'node.test' })).status).toBe(403)
    expect((await order({ source: 'local' }, {})).status).toBe(403)
    expect((await serving.call('GET', '/code/v1/fetch', { as: 'admin.test' })).status).toBe(403)
  })

  it('has forty who ask at once fetch no more than twice', async () => {
    const before = host.requests.length
    await Promise.all(Array.from({ length: 40 }, () => order({ source: 'control' })))
    expect(host.requests.length - before).toBeLessThanOrEqual(4)
  })

  it('goes on with what it has when a source is away, says so everywhere, and follows when it is back', async () => {
    const before = await served()
    host.misbehave((_, response) => !!response.writeHead(500).end())
    const { status, text } = await order({ source: 'control' })
    expect([status, JSON.parse(text).fetches[0].result]).toEqual([502, 'failed'])
    expect(await served()).toEqual(before)
    const shown = await code('status')
    expect(shown.stdout).toMatch(/Source control \(http:.*\): fetched .* ago; fetches fail since .*: Could not fetch/)
    const fetch = await code('fetch', 'control')
    expect([fetch.exitCode, fetch.stderr]).toEqual([1, expect.stringMatching(/Error: Source control: Could not fetch/)])
    const listed = await code('sources', '--render-as', 'json')
    expect(listed.exitCode).toBe(1)
    expect(JSON.parse(String(listed.stdout))[0]).toMatchObject({
      name: 'control',
      trouble: { times: expect.any(Number) },
    })
    const alerts = JSON.parse(
      (await serving.call('GET', '/status/v1/services/server', { as: 'admin.test' })).text,
    ).active_alerts
    expect(alerts).toContainEqual({
      severity: 'warning',
      message: expect.stringMatching(/^Fetches of source control have failed since/),
    })
    expect(serving.log.filter((line) => line.includes('Source control: Could not fetch'))).toHaveLength(1)
    host.misbehave()
    const commit = host.commit('control', site('back'), 'production')
    await order({ source: 'control' })
    expect((await served())['production']).toBe(commit)
    expect((await code('sources')).exitCode).toBe(0)
  })

  it('keeps a frozen environment where it is, with the message, and lets it go on', async () => {
    const { production } = await served()
    expect((await code('freeze', 'production')).stderr).toContain('Freezing an environment requires a message')
    expect((await code('freeze', 'prodction', '--message', 'x')).stderr).toContain(
      "No source has an environment 'prodction'",
    )
    const frozen = await code('freeze', 'production', '--message', 'until \u001b[31mFriday')
    expect(frozen.stdout).toMatch(/^production: .*\n {2}Frozen since .*Z by \S+: until \\x1b\[31mFriday$/)
    const commit = host.commit('control', site('frozen'), 'production')
    await order({ source: 'control' })
    expect((await served())['production']).toBe(production)
    const [status] = JSON.parse(String((await code('status', '--render-as', 'json')).stdout)).filter(
      ({ name }: { name: string }) => name === 'production',
    )
    expect(status).toMatchObject({ commit: production, frozen: { message: 'until \u001b[31mFriday' } })
    // Though its branch goes.
    host.git('control', 'update-ref', '-d', 'refs/heads/production')
    await order({ source: 'control' })
    expect((await served())['production']).toBe(production)
    host.git('control', 'update-ref', 'refs/heads/production', commit)
    await order({ source: 'control' })
    expect((await code('unfreeze', 'production')).stdout).toMatch(`production: ${commit}`)
    expect((await code('unfreeze', 'production')).stderr).toContain('is not frozen')
    const { stdout } = await plumb(['audit', 'log', '--kind', 'freeze', '--render-as', 'json', ...places()])
    const records = String(stdout)
      .split('\n')
      .map((line) => JSON.parse(line))
    const [by] = /(?<= by )\S+(?=: until)/.exec(String(frozen.stdout)) ?? []
    expect(records).toMatchObject([
      { environment: 'production', result: 'frozen', by, reason: 'until \u001b[31mFriday' },
      { environment: 'production', result: 'unfrozen', by },
    ])
    expect((await plumb(['audit', 'log', '--kind', 'freeze', ...places()])).stdout).toContain('\\x1b[31mFriday')
    const deploys = await plumb(['audit', 'log', '--kind', 'deploy', '--render-as', 'json', '--last', '1', ...places()])
    // What moved by it comes after it.
    expect(JSON.parse(String(deploys.stdout)).seq).toBeGreaterThan(records[1].seq)
  })

  it('counts fetches by source and result, with their time and the last that succeeded', async () => {
    const figures = async () => {
      const { text } = await serving.call('GET', '/metrics', { as: 'admin.test' })
      const rows = text.split('\n').filter((line) => line.startsWith('plumb_source_fetch'))
      return new Map(rows.map((row) => [row.split(' ')[0]!, Number(row.split(' ')[1])]))
    }
    const before = await figures()
    host.commit('control', site('counted'), 'production')
    await order({ source: 'control' })
    host.misbehave((_, response) => !!response.writeHead(500).end())
    await order({ source: 'control' })
    host.misbehave()
    const after = await figures()
    const more = (name: string) => after.get(name)! - before.get(name)!
    const of = (result: string) => more(`plumb_source_fetches_total{source="control",result="${result}"}`)
    expect([of('changed'), of('unchanged'), of('failed')]).toEqual([1, 0, 1])
    expect(more('plumb_source_fetch_seconds_total{source="control"}')).toBeGreaterThan(0)
    const last = after.get('plumb_source_fetch_last_success_timestamp_seconds{source="control"}')!
    expect(Math.abs(last - Date.now() / 1000)).toBeLessThan(60)
    const status = await serving.call('GET', '/status/v1/services/server?level=debug', { as: 'admin.test' })
    expect(JSON.parse(status.text).status['source-fetches'].control).toEqual({
      changed: after.get('plumb_source_fetches_total{source="control",result="changed"}'),
      unchanged: expect.any(Number),
      failed: after.get('plumb_source_fetches_total{source="control",result="failed"}'),
      seconds: after.get('plumb_source_fetch_seconds_total{source="control"}'),
      'last-success': new Date(last * 1000).toISOString(),
    })
    const told = await serving.call('GET', '/status/v1/services/server?level=debug', { as: 'node.test' })
    expect(told.text).not.toContain('source-fetches')
  })

  it('reads the file again on a reload: a wrong one leaves all as it was, a right one adds and removes', async () => {
    const before = await served()
    write('  control: {remote: "ext::sh -c true"}')
    await expect(serving.server.reload()).rejects.toThrow('cannot be fetched')
    expect(await served()).toEqual(before)
    write(control(), `  other: {remote: "${host.url}/other.git", prefix: o, interval: 1d}`)
    host.commit('other', site('other'), 'main')
    await serving.server.reload()
    await expect
      .poll(async () => Object.keys(await served()), patience)
      .toEqual(['feature_x_1', 'new', 'o_main', 'production'])
    write(control(), `  local: {remote: "${local.bare}", prefix: true, interval: 1d}`)
    await serving.server.reload()
    await expect
      .poll(async () => Object.keys(await served()), patience)
      .toEqual(['feature_x_1', 'local_production', 'new', 'production'])
  })

  it('keeps environments of a source that has another name now until that was fetched', async () => {
    host.misbehave((_, response) => !!response.writeHead(500).end())
    write(`  renamed: {remote: "${host.url}/control.git", interval: 1d}`)
    await serving.server.reload()
    expect(Object.keys(await served())).toContain('production')
    host.misbehave()
    await order({ source: 'renamed' })
    expect(Object.keys(await served())).toEqual(['feature_x_1', 'new', 'production'])
    write(control(), `  local: {remote: "${local.bare}", prefix: true, interval: 1d}`)
    await serving.server.reload()
  })

  it('stands still under the write_lock of an r10k.yaml, and says why', async () => {
    const before = await served()
    writeFileSync(file, `deploy: {write_lock: "moving house"}\nsources:\n${control()}\n`)
    await serving.server.reload()
    host.commit('control', site('locked'), 'production')
    await order({ source: 'control' })
    expect(await served()).toEqual(before)
    expect((await code('status')).stdout).toContain('Deployments are stopped (write_lock): moving house')
    write(control())
    await serving.server.reload()
    await expect.poll(async () => Object.keys(await served()), patience).toEqual(['feature_x_1', 'new', 'production'])
  })

  it('is told by the hook of a repository of this machine, and tells who pushes', async () => {
    write(control(), `  local: {remote: "${local.bare}", prefix: true, interval: 1d}`)
    await serving.server.reload()
    await plumb(['code', 'install-hooks', local.bare, ...places()])
    local.git('commit', '--quiet', '--allow-empty', '--message', 'Hooked')
    // Not in the same moment as this process serves.
    const env = { GIT_CONFIG_GLOBAL: '/dev/null' }
    const { stderr } = await execa('git', ['push', 'origin', 'production'], { cwd: local.work, env })
    const commit = local.git('rev-parse', 'HEAD')
    expect(stderr).toContain(`local_production now serves ${commit}`)
    expect((await served())['local_production']).toBe(commit)
  })

  it('has its commits for commands that take code', async () => {
    const words = ['catalog', 'compile', '--node', 'a.test', '--code_sources', file, ...places()]
    const { stdout } = await plumb([...words, '--environment', 'feature_x_1'])
    expect(JSON.parse(String(stdout)).resources.map(({ title }: { title: string }) => title)).toContain('two')
    const listed = await plumb(['environment', 'list', '--code_sources', file, ...places()])
    expect(listed.stdout).toContain('local_production')
  })

  it('refuses a repository beside sources', async () => {
    await expect(serve({ code_sources: file, code_repo: local.bare })).rejects.toThrow('are both set')
    await expect(serve({ code_sources: `${file}.none` })).rejects.toThrow('the file does not exist')
  })
})

describe('a server of its own process', () => {
  let host: GitHost
  const running: RunningServer[] = []
  const folder = scratchFolder('sources-process')
  const file = join(folder, 'r10k.yaml')
  beforeAll(async () => {
    host = await openGitHost()
    host.commit('control', site('one'), 'production')
    writeFileSync(file, `sources:\n  control: {remote: "${host.url}/control.git", interval: 1}\n`)
  })
  beforeEach(() => host.misbehave())
  afterAll(async () => {
    for (const each of running) each.process.kill('SIGKILL')
    await host.close()
  })
  const start = async (name: string) => {
    const server = await startServer({
      folder: join(folder, name),
      settings: { code_sources: file, keylength: '2048' },
    })
    running.push(server)
    return server
  }
  const status = async ({ places }: RunningServer) => String((await plumb(['code', 'status', ...places])).stdout)

  it('follows its sources by the clock, is killed at any moment, and goes on with what was served and what is frozen', async () => {
    let server = await start('killed')
    const next = host.commit('control', site('two'), 'production')
    await expect.poll(() => status(server), patience).toContain(next)
    await plumb(['code', 'freeze', 'production', '--message', 'cold', ...server.places])
    for (const wait of [20, 150, 400]) {
      host.commit('control', { 'data/x.yaml': `a: ${'x'.repeat(200_000)}${Math.random()}\n` }, 'other')
      // Wall clock: the moment of the kill is of no matter.
      await sleep(900 + wait)
      server.process.kill('SIGKILL')
      const store = join(server.vardir, 'sources/code.git')
      await expect.poll(() => execaSync('ps', ['-eo', 'args', 'ww']).stdout).not.toContain(store)
      execaSync('git', ['--git-dir', store, 'fsck', '--full'])
      server = await start('killed')
    }
    host.commit('control', site('three'), 'production')
    // What is frozen would have come with the other branch.
    const later = host.commit('control', site('later'), 'later')
    await expect.poll(() => status(server), patience).toContain(`later: ${later}`)
    const shown = await status(server)
    expect(shown).toContain(`production: ${next}`)
    expect(shown).toContain(': cold')
    expect(existsSync(join(server.vardir, 'sources/incoming/control.git'))).toBe(false)
    expect(await server.stop()).toBe(0)
  })

  it('starts although its source is away, serves what it had, and without anything follows once it is back', async () => {
    host.misbehave((_, response) => !!response.writeHead(503).end())
    const again = await start('killed')
    expect(await status(again)).toMatch(/production: [0-9a-f]{40}/)
    const fresh = await start('fresh')
    await expect.poll(() => fresh.output(), patience).toContain('no source in')
    expect(await status(fresh)).toMatch(
      /^Source control .*: not fetched since the server started; fetches fail since .*Z: Could not fetch/,
    )
    host.misbehave()
    await expect.poll(() => status(fresh), patience).toMatch(/production: [0-9a-f]{40}/)
    expect(readFileSync(file, 'utf8')).toContain('control')
  })
})
