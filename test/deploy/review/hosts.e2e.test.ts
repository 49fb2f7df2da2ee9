import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseApprovalRules } from '../../../src/deploy/approvals/approval-rules.ts'
import { Approvers } from '../../../src/deploy/review/approvers.ts'
import type { GitHost } from '../../../src/deploy/review/git-host.ts'
import { openGitHost } from '../../../src/deploy/review/open-git-host.ts'
import { publishComment } from '../../../src/deploy/review/own-comment.ts'
import { formatCommentMarker } from '../../../src/deploy/review/review-comment.ts'
import type { ReviewHost } from '../../../src/deploy/sources/review-access.ts'
import { readSources } from '../../../src/deploy/sources/sources-file-parser.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { bitbucketApi, bitbucketServerApi } from '../../support/bitbucket-apis.ts'
import { type HostApi, openReviewHost, type ReviewHostServer } from '../../support/review-host.ts'
import { giteaApi, githubApi, gitlabApi } from '../../support/review-host-apis.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('review-hosts')
const settings = loadSettings({ given: { confdir: folder, vardir: folder }, runMode: 'server', env: {} })
const defaults = { intervalMs: 1e6, timeoutMs: 5000, maxBytes: 1e6, webhookSecretFile: undefined }
const [head, older, merged] = ['a', 'b', 'c'].map((each) => each.repeat(40)) as [string, string, string]

/** The host of a source as the file of sources describes it. */
function openHost(kind: ReviewHost, url: string): GitHost {
  const file = `
sources:
  control:
    remote: https://git.example.com/puppet/control.git
    review: {host: ${kind}, url: "${url}", token_file: ${join(folder, 'token')}}
`
  return openGitHost(readSources(file, 'r10k.yaml', defaults).sources[0]!, settings)
}

describe('the demands of rules', () => {
  let server: ReviewHostServer
  beforeAll(async () => {
    server = await openReviewHost(githubApi)
    writeFileSync(join(folder, 'token'), server.state.token, { mode: 0o600 })
    server.state.teams.set('ops/network', new Set(['bob']))
    const request = server.add({ head, author: 'Alice' })
    for (const user of ['alice', 'bob', 'carol']) request.reviews.push({ user, state: 'APPROVED', commit: head })
  })
  afterAll(() => server.close())

  it.each<[string, string | undefined]>([
    ['{approvals: 2}', undefined],
    ['{approvals: 3}', 'it: 3 approvals (has 2)'],
    ['{by: [BOB]}', undefined],
    ['{by: [alice]}', 'it: 1 approval by alice (has 0)'],
    ["{by: ['@ops/network']}", undefined],
    ["{by: ['@ops/network', carol], approvals: 2}", undefined],
    ["{by: ['@ops/network'], approvals: 2}", 'it: 2 approvals by @ops/network (has 1)'],
    ["{by: ['@ops/nobody']}", 'it: 1 approval by @ops/nobody (has 0)'],
  ])('%s leave %s', async (rule, missing) => {
    const host = openHost('github', server.url)
    const rules = parseApprovalRules(`rules: {it: ${rule}}`)
    expect(await new Approvers(host).findMissing(await host.getMergeRequest(1), rules)).toBe(missing)
  })
})

describe.each<[ReviewHost, HostApi]>([
  ['github', githubApi],
  ['gitlab', gitlabApi],
  ['gitea', giteaApi],
  ['bitbucket', bitbucketApi],
  ['bitbucket_server', bitbucketServerApi],
])('the merge requests of %s', (kind, api) => {
  let server: ReviewHostServer
  let host: GitHost
  beforeAll(async () => {
    server = await openReviewHost(api)
    writeFileSync(join(folder, 'token'), `${server.state.token}\n`, { mode: 0o600 })
    host = openHost(kind, server.url)
  })
  afterAll(() => server.close())
  beforeEach(() => server.state.requests.clear())
  afterEach(() => server.misbehave())

  it('are read by number, with their newest commit, target and origin', async () => {
    server.add({ head })
    server.add({ head: older, isFork: true, state: 'merged', merged, target: 'staging', author: 'bob' })
    expect(await host.getMergeRequest(1)).toMatchObject({
      ...{ number: 1, state: 'open', author: 'alice', head, target: 'production', isFork: false, results: [] },
    })
    const second = await host.getMergeRequest(2)
    expect(second).toMatchObject({ state: 'merged', author: 'bob', head: older, target: 'staging', isFork: true })
    expect(second.results.map((each) => merged.startsWith(each))).toEqual([true])
    await expect(host.getMergeRequest(3)).rejects.toThrow('404')
  })

  it('are found by their newest commit and by the commit of their merge', async () => {
    server.add({ head })
    server.add({ head: older, state: 'merged', merged })
    const find = async (commit: string) =>
      (await host.listMergeRequests(commit, 'production'))
        .filter((each) => [each.head, ...each.results].some((one) => commit.startsWith(one)))
        .map(({ number }) => number)
    expect(await find(merged)).toEqual([2])
    expect(await find(head)).toEqual([1])
    expect(await find('d'.repeat(40))).toEqual([])
  })

  it('get one comment, which is edited in place', async () => {
    const request = server.add({ head })
    const marker = formatCommentMarker('control', host)
    const publish = (text: string) => publishComment(host, 1, { marker, text: `${marker}\n\n${text}\n` })
    request.comments.push({ id: 1, author: 'mallory', text: `${marker}\n\nmine`, version: 0, edits: 0 })
    request.comments.push({ id: 2, author: 'plumbline-bot', text: `Quoted: ${marker}`, version: 0, edits: 0 })
    expect(await publish('one')).toBe('created')
    expect(await publish('one')).toBe('unchanged')
    expect(await publish('two')).toBe('edited')
    expect(await publish('three')).toBe('edited')
    expect(request.comments.map(({ author, text, edits }) => [author, text.split('\n').at(2), edits])).toEqual([
      ['mallory', 'mine', 0],
      ['plumbline-bot', undefined, 0],
      ['plumbline-bot', 'three', 2],
    ])
  })

  it('find their comment among hundreds', async () => {
    const request = server.add({ head })
    const marker = formatCommentMarker('control', host)
    await publishComment(host, 1, { marker, text: `${marker} one` })
    const others = Array.from({ length: 250 }, (_, at) => ({
      id: 1000 + at,
      author: 'bob',
      text: 'hm',
      version: 0,
      edits: 0,
    }))
    request.comments.unshift(...others)
    expect(await publishComment(host, 1, { marker, text: `${marker} two` })).toBe('edited')
    expect(request.comments).toHaveLength(251)
  })

  it('get a status at their commit', async () => {
    await host.setStatus(head, { state: 'pending', description: 'Compiling', url: undefined })
    await host.setStatus(head, { state: 'failure', description: 'fails on 1 node', url: 'https://puppet.example.com' })
    const statuses = server.state.statuses.get(head)!
    expect(statuses.map(({ state }) => state.toLowerCase())).toEqual(
      { github: ['pending', 'failure'], gitea: ['pending', 'failure'], gitlab: ['pending', 'failed'] }[
        kind as string
      ] ?? ['inprogress', 'failed'],
    )
    expect(statuses.at(-1)).toMatchObject({ description: 'fails on 1 node', url: 'https://puppet.example.com' })
  })

  it('count only approvals of the newest commit', async () => {
    const request = server.add({ head })
    expect(await host.listApprovers(await host.getMergeRequest(1))).toEqual([])
    request.reviews.push({ user: 'bob', state: 'APPROVED', commit: older })
    expect(await host.listApprovers(await host.getMergeRequest(1))).toEqual([])
    request.reviews.push({ user: 'carol', state: 'APPROVED', commit: head })
    expect(await host.listApprovers(await host.getMergeRequest(1))).toEqual(['carol'])
  })

  it.runIf(kind === 'github' || kind === 'gitlab' || kind === 'gitea')(
    'count only approvals of accounts that may write, and know the members of teams',
    async () => {
      const request = server.add({ head })
      request.reviews.push({ user: 'mallory', state: 'APPROVED', commit: head })
      expect(await host.listApprovers(await host.getMergeRequest(1))).toEqual([])
      server.state.teams.set('ops/network', new Set(['bob', 'bobby']))
      expect(await host.isTeamMember('ops/network', 'bob')).toBe(true)
      expect(await host.isTeamMember('ops/network', 'bo')).toBe(false)
      expect(await host.isTeamMember('ops/other', 'bob')).toBe(false)
    },
  )

  it('do not count approvals by people who wrote or pushed commits', async () => {
    const request = server.add({ head, contributors: ['carol'] })
    for (const user of ['bob', 'carol']) request.reviews.push({ user, state: 'APPROVED', commit: head })
    expect(await host.listApprovers(await host.getMergeRequest(1))).toEqual(['bob'])
    request.pushers.push('bob')
    // GitHub does not tell who pushed.
    const left = kind === 'github' ? ['bob'] : []
    expect(await host.listApprovers(await host.getMergeRequest(1))).toEqual(left)
  })

  // Bitbucket Data Center does not tell when the target branch changed.
  it.skipIf(kind === 'bitbucket_server')(
    'count only approvals after the last change of the target branch',
    async () => {
      const request = server.add({ head, isRetargeted: true })
      request.reviews.push({ user: 'bob', state: 'APPROVED', commit: head, isEarly: true })
      expect(await host.listApprovers(await host.getMergeRequest(1))).toEqual([])
      request.reviews.push({ user: 'carol', state: 'APPROVED', commit: head })
      expect(await host.listApprovers(await host.getMergeRequest(1))).toEqual(['carol'])
    },
  )

  it.runIf(kind === 'github')('need a list of all commits', async () => {
    const request = server.add({ head, contributors: Array.from({ length: 250 }, () => 'alice') })
    request.reviews.push({ user: 'bob', state: 'APPROVED', commit: head })
    await expect(host.listApprovers(await host.getMergeRequest(1))).rejects.toThrow('has 250 or more commits')
  })

  it.runIf(kind === 'github' || kind === 'gitea')('forget an approval that was withdrawn', async () => {
    const request = server.add({ head })
    request.reviews.push({ user: 'bob', state: 'APPROVED', commit: head })
    request.reviews.push({ user: 'bob', state: 'COMMENTED', commit: head })
    expect(await host.listApprovers(await host.getMergeRequest(1))).toEqual(['bob'])
    request.reviews.push({ user: 'bob', state: 'CHANGES_REQUESTED', commit: head })
    request.reviews.push({ user: 'carol', state: 'DISMISSED', commit: head })
    expect(await host.listApprovers(await host.getMergeRequest(1))).toEqual([])
  })

  it('fail with a reason that does not contain the token', async () => {
    server.add({ head })
    server.misbehave((request, response) => {
      response.writeHead(500).end(`no ${JSON.stringify(request.headers)}`)
      return true
    })
    const error: Error = await host.getMergeRequest(1).catch((each) => each)
    expect(error.message).toMatch(/^The Git host failed to answer http:\/\/127\.0\.0\.1:\d+\/\S+: 500 no /)
    expect(error.message).not.toContain(server.state.token)
    expect(error.message).not.toMatch(/Basic|Bearer (?!\*)/)
    server.misbehave((_, response) => {
      response.writeHead(200).end('<html>')
      return true
    })
    await expect(host.getMergeRequest(1)).rejects.toThrow('The Git host failed to answer')
    server.misbehave((_, response) => {
      response.writeHead(200).end('[]')
      return true
    })
    await expect(host.getMergeRequest(1)).rejects.toThrow(/has no valid (?:number|iid|id|source)/)
  })

  it('never send the token to another host', async () => {
    const other = await openReviewHost(api)
    server.misbehave((request, response) => {
      response.writeHead(302, { location: `${other.url}${request.url}` }).end()
      return true
    })
    await expect(host.getMergeRequest(1)).rejects.toThrow(`redirected ${server.url}`)
    expect(other.requests).toEqual([])
    await other.close()
  })

  it('end an answer without end', async () => {
    server.misbehave((_, response) => {
      response.writeHead(200)
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', write)
      }
      write()
      return true
    })
    await expect(host.getMergeRequest(1)).rejects.toThrow('exceeds 4194304 bytes')
  })

  it('say which token is wrong', async () => {
    writeFileSync(join(folder, 'token'), 'another', { mode: 0o600 })
    const error = await host.getMergeRequest(1).catch((each) => each)
    expect(error.message).toContain('401')
    expect(error.diagnostic.hint).toContain('token_file')
    writeFileSync(join(folder, 'token'), server.state.token, { mode: 0o600 })
  })
})
