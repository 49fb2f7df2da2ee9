import { describe, expect, it } from 'vitest'
import { vendors } from '../../../src/server/webhooks/vendors.ts'

type Case = readonly [
  vendor: keyof typeof vendors,
  headers: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>>,
  number: number | undefined,
]

/** Webhooks about merge requests as the documentation of each host shows them, shortened. */
const github = (action: unknown, number: unknown = 5): Case => [
  'github',
  { 'x-github-event': 'pull_request' },
  { action, number, pull_request: { number }, repository: { full_name: 'puppet/control' } },
  undefined,
]
const gitlab = (action: string): Case => [
  'gitlab',
  { 'x-gitlab-event': 'Merge Request Hook' },
  {
    object_kind: 'merge_request',
    project: { path_with_namespace: 'puppet/control' },
    object_attributes: { id: 93, iid: 16, action, source_branch: 'topic', target_branch: 'production' },
  },
  undefined,
]
const gitea = (action: string, event = 'pull_request'): Case => [
  'gitea',
  { 'x-gitea-event': event, 'x-gitea-event-type': 'pull_request_sync' },
  { action, number: 7, pull_request: { number: 7 }, repository: { full_name: 'puppet/control' } },
  undefined,
]
const cloud = (event: string): Case => [
  'bitbucket',
  { 'x-event-key': event },
  { pullrequest: { id: 3, title: 'A change' }, repository: { full_name: 'puppet/control' } },
  undefined,
]
const server = (event: string): Case => [
  'bitbucket',
  { 'x-event-key': event },
  {
    eventKey: event,
    pullRequest: { id: 11, toRef: { repository: { slug: 'control', project: { key: 'PUPPET' } } } },
  },
  undefined,
]
const expecting = ([vendor, headers, body]: Case, number: number | undefined): Case => [vendor, headers, body, number]

describe('a webhook about a merge request', () => {
  it.each<Case>([
    ...['opened', 'synchronize', 'reopened', 'edited'].map((action) => expecting(github(action), 5)),
    ...['closed', 'labeled', 'assigned', ['opened'], 1].map((action) => github(action)),
    ...[0, -1, 1.5, '5', null, [5], 1e300].map((number) => github('opened', number)),
    ...['open', 'reopen', 'update'].map((action) => expecting(gitlab(action), 16)),
    ...['close', 'merge', 'approved'].map((action) => gitlab(action)),
    ...['opened', 'synchronized', 'reopened'].map((action) => expecting(gitea(action), 7)),
    ...[gitea('closed'), gitea('reviewed', 'pull_request_approved')],
    ...['pullrequest:created', 'pullrequest:updated'].map((event) => expecting(cloud(event), 3)),
    ...['pullrequest:approved', 'pullrequest:rejected', 'repo:push'].map((event) => cloud(event)),
    ...['pr:opened', 'pr:from_ref_updated', 'pr:modified'].map((event) => expecting(server(event), 11)),
    ...['pr:reviewer:approved', 'pr:declined'].map((event) => server(event)),
  ])('of %s with %o %j reviews %s', (vendor, headers, body, number) => {
    expect(vendors[vendor].mergeRequest(headers, body)).toBe(number)
  })

  it.each<Case>([
    github('opened'),
    gitlab('open'),
    gitea('opened'),
    cloud('pullrequest:approved'),
    server('pr:opened'),
  ])('of %s with %o fetches its source', (vendor, headers, body) => {
    expect(vendors[vendor].event(headers)).toBe('moved')
    expect(vendors[vendor].places(body).map((each) => String(each).toLowerCase())).toContain('puppet/control')
  })
})
