import { getNested } from '../../base/json/nested.ts'
import { getHeaderText, hasSignature, isEqualText } from './signature.ts'
import type { HookEvent, Vendor } from './vendor.ts'

const listNested = (value: unknown, ...keys: readonly string[]) => keys.map((key) => getNested(value, key))

function toHookEvent(name: string | undefined, moved: readonly string[], pings: readonly string[] = []): HookEvent {
  if (name === undefined) return 'other'
  return moved.includes(name) ? 'moved' : pings.includes(name) ? 'ping' : 'other'
}

/** Returns the number of a merge request if its event is one of those after which it has new commits. */
function getNumber(number: unknown, event: unknown, fresh: readonly string[]): number | undefined {
  const isNumber = typeof number === 'number' && Number.isSafeInteger(number) && number > 0
  return isNumber && typeof event === 'string' && fresh.includes(event) ? number : undefined
}

/**
 * Webhooks of GitHub: docs.github.com, "Webhook events and payloads", "Validating webhook
 * deliveries".
 */
const github: Vendor = {
  isSigned: ({ headers, body }, secret) => hasSignature(body, secret, getHeaderText(headers['x-hub-signature-256'])),
  event: (headers) =>
    toHookEvent(
      getHeaderText(headers['x-github-event']),
      ['push', 'create', 'delete', 'pull_request', 'pull_request_review'],
      ['ping'],
    ),
  places: ({ repository }) => listNested(repository, 'full_name', 'clone_url', 'ssh_url', 'git_url', 'html_url'),
  mergeRequest: (headers, { number, action }) =>
    getHeaderText(headers['x-github-event']) === 'pull_request'
      ? getNumber(number, action, ['opened', 'synchronize', 'reopened', 'edited'])
      : undefined,
  delivery: 'x-github-delivery',
}

/** Webhooks of GitLab: docs.gitlab.com, "Webhook events", "Validate payloads by using a secret token". */
const gitlab: Vendor = {
  isSigned: async ({ headers }, secret) => isEqualText(getHeaderText(headers['x-gitlab-token']) ?? '', secret),
  event: (headers) =>
    toHookEvent(getHeaderText(headers['x-gitlab-event']), [
      'Push Hook',
      'Tag Push Hook',
      'System Hook',
      'Merge Request Hook',
    ]),
  places: ({ project }) => listNested(project, 'path_with_namespace', 'git_http_url', 'git_ssh_url', 'web_url'),
  mergeRequest: (_, { object_kind: kind, object_attributes: attributes }) =>
    kind === 'merge_request'
      ? getNumber(getNested(attributes, 'iid'), getNested(attributes, 'action'), ['open', 'reopen', 'update'])
      : undefined,
  delivery: 'x-gitlab-event-uuid',
}

/** Webhooks of Gitea and Forgejo: docs.gitea.com, "Webhooks". The HMAC has no algorithm prefix. */
const gitea: Vendor = {
  isSigned: ({ headers, body }, secret) => {
    const digest = getHeaderText(headers['x-gitea-signature'])
    return hasSignature(body, secret, digest === undefined ? undefined : `sha256=${digest}`)
  },
  event: (headers) =>
    toHookEvent(getHeaderText(headers['x-gitea-event']), [
      'push',
      'create',
      'delete',
      'pull_request',
      'pull_request_approved',
      'pull_request_rejected',
    ]),
  places: ({ repository }) => listNested(repository, 'full_name', 'clone_url', 'ssh_url', 'html_url'),
  mergeRequest: (headers, { number, action }) =>
    getHeaderText(headers['x-gitea-event']) === 'pull_request'
      ? getNumber(number, action, ['opened', 'synchronized', 'reopened', 'edited'])
      : undefined,
  delivery: 'x-gitea-delivery',
}

/** Events of Bitbucket after which a pull request has new commits, and after which it has other approvals. */
const changedRequests = [
  'pullrequest:created',
  'pullrequest:updated',
  'pr:opened',
  'pr:from_ref_updated',
  'pr:modified',
]
const approvedRequests = ['pullrequest:approved', 'pullrequest:fulfilled', 'pr:reviewer:approved', 'pr:merged']

/**
 * Webhooks of Bitbucket Cloud and Data Center: support.atlassian.com, "Event payloads";
 * confluence.atlassian.com, "Event payload". Data Center's connection test has no signature.
 */
const bitbucket: Vendor = {
  isSigned: ({ headers, body }, secret) => hasSignature(body, secret, getHeaderText(headers['x-hub-signature'])),
  event: (headers) =>
    toHookEvent(
      getHeaderText(headers['x-event-key']),
      ['repo:push', 'repo:refs_changed', 'mirror:repo_synchronized', ...changedRequests, ...approvedRequests],
      ['diagnostics:ping'],
    ),
  isUnsignedPing: (headers) => getHeaderText(headers['x-event-key']) === 'diagnostics:ping',
  mergeRequest: (headers, { pullrequest, pullRequest }) =>
    getNumber(getNested(pullrequest ?? pullRequest, 'id'), getHeaderText(headers['x-event-key']), changedRequests),
  places(payload) {
    // Data Center names the repository of a pull request only in its branches.
    const repository = payload['repository'] ?? getNested(payload['pullRequest'], 'toRef', 'repository')
    const [key, slug] = [getNested(repository, 'project', 'key'), getNested(repository, 'slug')]
    const clones = getNested(repository, 'links', 'clone')
    return [
      getNested(repository, 'full_name'),
      getNested(repository, 'links', 'html', 'href'),
      ...(typeof key === 'string' && typeof slug === 'string' ? [`${key}/${slug}`] : []),
      ...(Array.isArray(clones) ? clones.slice(0, 10).map((clone) => getNested(clone, 'href')) : []),
    ]
  },
  delivery: 'x-request-id',
}

/** Vendors by the last segment of their webhook URL. */
export const vendors = { github, gitlab, gitea, bitbucket } as const satisfies Readonly<Record<string, Vendor>>
