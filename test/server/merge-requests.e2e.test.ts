import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { type Files, gitIdentity, writeFiles } from '../support/control-repository.ts'
import { type GitHost, openGitHost } from '../support/git-host.ts'
import { plumb } from '../support/plumb.ts'
import { type HostedRequest, openReviewHost, type ReviewHostServer } from '../support/review-host.ts'
import { githubApi } from '../support/review-host-apis.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { type Serving, serve } from './serving.ts'

const name = 'puppet/control'
const secret = 'a-secret-of-the-webhook'
const base: Files = {
  'manifests/site.pp': "node /^web/ { include web\n include firewall }\nnode default { notify { 'other': } }\n",
  'modules/web/manifests/init.pp': "class web { notify { 'a': } }\n",
  'modules/firewall/manifests/init.pp':
    "class firewall { file { '/etc/fw': content => 'a', notify => Service['fw'] } service { 'fw': } }\n",
}
const web = (word: string): Files => ({ 'modules/web/manifests/init.pp': `class web { notify { '${word}': } }\n` })
const firewall = (word: string): Files => ({
  'modules/firewall/manifests/init.pp': `class firewall { file { '/etc/fw': content => '${word}', notify => Service['fw'] } service { 'fw': } }\n`,
})
const rules = (text: string): Files => ({ 'approvals.yaml': `rules:\n${text}` })
/** Looks at what the background does. */
const patience = { interval: 200 }

let git: GitHost
let api: ReviewHostServer
let serving: Serving
let port: number
let serial = 0

/** A server of the source `control`, which two nodes have asked for catalogs. */
async function start(
  files: Files,
  { review = '', settings = {} }: { review?: string; settings?: Record<string, string> } = {},
) {
  git.commit(name, { ...base, ...files }, 'production')
  const folder = scratchFolder('merge-requests')
  writeFileSync(join(folder, 'token'), api.state.token, { mode: 0o600 })
  writeFileSync(join(folder, 'secret'), secret, { mode: 0o600 })
  writeFileSync(
    join(folder, 'sources.yaml'),
    `sources:
  control:
    remote: "${git.url}/${name}.git"
    interval: 1d
    refs: [production]
    webhook_secret: ${join(folder, 'secret')}
    review: {host: github, url: "${api.url}", token_file: ${join(folder, 'token')}, console_url: "https://puppet.example.com"${review}}
`,
  )
  port = await freePort()
  serving = await serve({
    ...{ code_sources: join(folder, 'sources.yaml'), webhook_port: String(port), gate: 'refuse' },
    ...{ catalog_trace_checks: '0', ...settings },
  })
  for (const node of ['web1.test', 'db1.test']) await requestCatalog(node)
}

async function requestCatalog(node: string): Promise<void> {
  const document = JSON.stringify({ name: node, values: {}, timestamp: '2026-11-23', expiration: '2027-11-23' })
  const body = new URLSearchParams({
    ...{ facts_format: 'application/json', facts: encodeURIComponent(document), environment: 'production' },
    ...{ static_catalog: 'true', checksum_type: 'sha256' },
  })
  const { status } = await serving.call('POST', `/puppet/v3/catalog/${node}`, {
    ...{ as: node, body: body.toString() },
    headers: { accept: 'application/vnd.puppet.rich+json', 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(status).toBe(200)
}

/** A webhook of GitHub. */
async function send(event: string, body: object, key = secret): Promise<number> {
  const text = JSON.stringify({ ...body, repository: { full_name: name }, serial: serial++ })
  const signature = createHmac('sha256', key).update(text).digest('hex')
  const headers = {
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${signature}`,
    'content-type': 'application/json',
  }
  return (await fetch(`http://127.0.0.1:${port}/webhooks/github`, { method: 'POST', headers, body: text })).status
}
const sendRequest = (number: number, action: string) => send('pull_request', { action, number })

/** Runs git in the repository of the host. */
const at = (ref: string) => git.git(name, 'rev-parse', ref)
/** Commits files on top of a branch or a commit, in a clone of its own, and moves a branch there; answers the commit. */
function commitOn(parent: string, files: Files, branch: string): string {
  const work = scratchFolder('clone')
  const run = (...words: string[]) => execaSync('git', words, { cwd: work, env: gitIdentity }).stdout
  run('clone', '--quiet', join(git.folder, `${name}.git`), '.')
  run('checkout', '--quiet', '-B', branch, git.git(name, 'rev-parse', parent))
  writeFiles(work, files)
  run('add', '--all')
  run('commit', '--quiet', '--message', 'A change')
  run('push', '--quiet', '--force', 'origin', branch)
  return run('rev-parse', 'HEAD')
}
/** A pull request of a branch. */
function open(files: Files, given: Partial<HostedRequest> = {}, branch = 'topic'): HostedRequest {
  const head = commitOn('production', files, branch)
  const request = api.add({ head, ...given })
  git.git(name, 'update-ref', `refs/pull/${request.number}/head`, head)
  return request
}
/** Merges as the host does, by a commit of its own; `edit` changes the tree of the merge. */
function merge(
  request: HostedRequest,
  tree = git.git(name, 'merge-tree', '--write-tree', 'production', request.head),
): string {
  const parents = ['-p', at('production'), '-p', request.head]
  const commit = git.git(name, 'commit-tree', tree, ...parents, '-m', `Merge ${request.number}`)
  git.git(name, 'update-ref', 'refs/heads/production', commit)
  Object.assign(request, { state: 'merged', merged: commit })
  return commit
}

async function served() {
  const status = (await serving.server.environments.status()).find((each) => each.name === 'production')
  return { commit: status?.commit, refused: status?.refused?.reason }
}
/** The state of `production` after a push of the host, when the gate has decided. */
async function pushed() {
  expect(await send('push', { ref: 'refs/heads/production' })).toBe(202)
  return decided()
}
async function decided() {
  await expect
    .poll(async () => (await served()).commit === at('production') || (await served()).refused, patience)
    .toBeTruthy()
  await expect.poll(async () => (await served()).refused ?? '', patience).not.toContain('the gate is compiling')
  return served()
}

beforeEach(async () => {
  git = await openGitHost()
  api = await openReviewHost(githubApi)
})
afterEach(async () => {
  await serving?.stop()
  await git.close()
  await api.close()
})

describe('a merge request', () => {
  it('gets one comment and a status on a webhook, and the same comment at its next push', async () => {
    await start({})
    const request = open(firewall('b'))
    request.comments.push({
      id: 1,
      author: 'mallory',
      text: '<!-- plumbline: control -->\nAll is well',
      version: 0,
      edits: 0,
    })
    expect(await sendRequest(1, 'opened')).toBe(202)
    await expect.poll(() => request.comments.length, patience).toBe(2)
    await expect
      .poll(() => api.state.statuses.get(request.head)?.map(({ state }) => state), patience)
      .toEqual(['pending', 'success'])
    const { text } = request.comments[1]!
    expect(text.split('\n')[0]).toBe('<!-- plumbline: control -->')
    expect(text).toContain('| would change | 1 |')
    expect(text).toContain('- Services restarted on 1 node: `Service[fw]`')
    expect(text).toContain('`File[/etc/fw]` `content`')
    expect(text).toContain('(https://puppet.example.com/nodes)')
    request.head = commitOn(request.head, web('b'), 'topic')
    git.git(name, 'update-ref', 'refs/pull/1/head', request.head)
    expect(await sendRequest(1, 'synchronize')).toBe(202)
    await expect.poll(() => request.comments[1]!.edits, patience).toBe(1)
    expect(request.comments[1]!.text).toContain('`Notify[b]`')
    expect(request.comments.map(({ author }) => author)).toEqual(['mallory', 'plumbline-bot'])
    expect(request.comments[0]!.text).toContain('All is well')
  })

  it('is not reviewed on a forged webhook', async () => {
    await start({})
    open(web('b'))
    expect(await send('pull_request', { action: 'opened', number: 1 }, 'guess')).toBe(401)
    await serving.server.environments.refresh()
    expect(api.requests).toEqual([])
  })

  it('from a fork is compiled only when an operator wants it', async () => {
    await start({})
    const request = open(web('b'), { isFork: true, author: 'mallory' })
    git.git(name, 'branch', '--delete', '--force', 'topic')
    await sendRequest(1, 'opened')
    await expect
      .poll(() => api.state.statuses.get(request.head)?.at(-1)?.description, patience)
      .toContain('plumb code review 1')
    await expect
      .poll(() => serving.log.join(''), patience)
      .toContain("Read its changes, then run 'plumb code review 1'")
    expect(request.comments).toEqual([])
    const places = ['--confdir', join(serving.folder, 'etc'), '--vardir', join(serving.folder, 'var')]
    const dry = await plumb(['code', 'review', '1', '--source', 'control', '--dry-run', ...places])
    expect(String(dry.stdout)).toContain('`Notify[b]`')
    expect(request.comments).toEqual([])
    const done = await plumb(['code', 'review', '1', '--source', 'control', ...places])
    expect(String(done.stdout)).toMatch(/^Merge request 1 at [0-9a-f]{40}: comment created; /)
    expect(request.comments).toHaveLength(1)
    const json = await plumb([
      'code',
      'review',
      '--commit',
      request.head,
      '--source',
      'control',
      '--render-as',
      'json',
      ...places,
    ])
    expect(JSON.parse(String(json.stdout))).toMatchObject({
      number: 1,
      comment: 'unchanged',
      environment: 'production',
    })
  })

  it('fails its status where a catalog would fail, and gets its comment although the host takes no status', async () => {
    await start({})
    const request = open({ 'modules/web/manifests/init.pp': 'class web { include nowhere }\n' })
    await sendRequest(1, 'opened')
    await expect.poll(() => api.state.statuses.get(request.head)?.at(-1)?.state, patience).toBe('failure')
    expect(request.comments[0]!.text).toContain('Catalog compilation would fail: 1 node')
    api.misbehave((asked, response) => {
      if (!asked.url?.includes('/statuses/')) return false
      response.writeHead(500).end()
      return true
    })
    request.head = commitOn(request.head, web('c'), 'topic')
    await sendRequest(1, 'synchronize')
    await expect.poll(() => request.comments[0]!.edits, patience).toBe(1)
  })
})

describe('approval rules', () => {
  const guarded = rules('  firewall: {paths: [modules/firewall/], approvals: 1}\n')

  it('hold a commit until its merge request is approved', async () => {
    await start(guarded)
    const before = at('production')
    const request = open(firewall('b'))
    await sendRequest(1, 'opened')
    await expect.poll(() => request.comments[0]?.text, patience).toContain('- `firewall: 1 approval`')
    const merged = merge(request)
    request.reviews.push({ user: 'alice', state: 'APPROVED', commit: request.head })
    request.reviews.push({ user: 'mallory', state: 'APPROVED', commit: request.head })
    request.reviews.push({ user: 'bob', state: 'APPROVED', commit: before })
    const held = await pushed()
    expect(held.commit).toBe(before)
    expect(held.refused).toContain(
      'The approval rule firewall applies to the change, and merge request 1 lacks approvals',
    )
    expect(held.refused).toContain('firewall: 1 approval (has 0)')
    request.reviews.push({ user: 'bob', state: 'APPROVED', commit: request.head })
    // Wall clock: the server asks the host again after five seconds.
    await new Promise((done) => setTimeout(done, 5500))
    await send('pull_request_review', { action: 'submitted', pull_request: { number: 1 } })
    await expect.poll(async () => (await served()).commit, patience).toBe(merged)
  })

  it('do not concern other changes', async () => {
    await start(guarded)
    commitOn('production', web('b'), 'production')
    expect(await pushed()).toEqual({ commit: at('production'), refused: undefined })
    expect(api.requests).toEqual([])
  })

  it('find a commit that was pushed to the branch before an approved merge', async () => {
    await start(guarded)
    const before = at('production')
    const request = open(web('b'))
    request.reviews.push({ user: 'bob', state: 'APPROVED', commit: request.head })
    commitOn('production', firewall('evil'), 'production')
    merge(request)
    const { commit, refused } = await pushed()
    expect(commit).toBe(before)
    expect(refused).toContain('does not come from a merge request for production')
  })

  it('find an edit in the commit of a merge', async () => {
    await start(guarded)
    const request = open(firewall('b'))
    request.reviews.push({ user: 'bob', state: 'APPROVED', commit: request.head })
    const evil = commitOn('production', firewall('evil'), 'evil')
    merge(request, at(`${evil}^{tree}`))
    expect((await pushed()).refused).toContain('has other changes than the approved merge request 1')
  })

  it('are those of the served commit, all of which guard the rules themselves', async () => {
    await start(guarded)
    const before = at('production')
    commitOn('production', { ...rules('  other: {paths: [nothing]}\n'), ...firewall('b') }, 'production')
    expect(await pushed()).toMatchObject({
      commit: before,
      refused: expect.stringContaining('The approval rule firewall'),
    })
  })

  it('apply by the effect on nodes, also where the gate is off', async () => {
    await start(rules('  risky: {impact: {risks: [restarts]}, approvals: 2}\n'), { settings: { gate: 'off' } })
    const harmless = open(web('b'))
    merge(harmless)
    expect((await pushed()).refused).toBeUndefined()
    const risky = open(firewall('b'))
    risky.reviews.push({ user: 'bob', state: 'APPROVED', commit: risky.head })
    merge(risky)
    expect((await pushed()).refused).toContain('risky: 2 approvals (has 1)')
  })

  it('accept squashed, rebased and several merges', async () => {
    await start(guarded)
    const approve = (request: HostedRequest) =>
      request.reviews.push({ user: 'bob', state: 'APPROVED', commit: request.head })
    const squashed = open(firewall('b'))
    approve(squashed)
    const commit = git.git(name, 'commit-tree', at(`${squashed.head}^{tree}`), '-p', at('production'), '-m', 'Squashed')
    git.git(name, 'update-ref', 'refs/heads/production', commit)
    git.git(name, 'branch', '--delete', '--force', 'topic')
    Object.assign(squashed, { state: 'merged', merged: commit })
    expect(await pushed()).toEqual({ commit, refused: undefined })
    const [one, two] = [open(firewall('c'), {}, 'one'), open({ 'modules/firewall/README.md': 'x' }, {}, 'two')]
    approve(one)
    approve(two)
    merge(one)
    const last = merge(two)
    expect(await pushed()).toEqual({ commit: last, refused: undefined })
  })

  it('hold a commit while the host fails, and where it is skipped serve it', async () => {
    await start(guarded)
    const before = at('production')
    const request = open(firewall('b'))
    request.reviews.push({ user: 'bob', state: 'APPROVED', commit: request.head })
    merge(request)
    api.misbehave((_, response) => {
      response.writeHead(503).end()
      return true
    })
    expect(await pushed()).toMatchObject({
      commit: before,
      refused: expect.stringContaining('approvals could not be checked: The Git host failed'),
    })
    const places = ['--confdir', join(serving.folder, 'etc'), '--vardir', join(serving.folder, 'var')]
    await plumb(['code', 'deploy', 'production', '--skip-gate', ...places])
    expect((await served()).commit).toBe(at('production'))
  })
})
