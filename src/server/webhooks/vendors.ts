import { getHeaderText, hasSignature, isEqualText } from './signature.ts'
import type { HookEvent, Vendor } from './vendor.ts'

/** A value in nested objects; `undefined` if a key is missing. */
function getNested(value: unknown, ...keys: readonly string[]): unknown {
  let found = value
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}

const listNested = (value: unknown, ...keys: readonly string[]) => keys.map((key) => getNested(value, key))

function toHookEvent(name: string | undefined, moved: readonly string[], pings: readonly string[] = []): HookEvent {
  if (name === undefined) return 'other'
  return moved.includes(name) ? 'moved' : pings.includes(name) ? 'ping' : 'other'
}

/**
 * Webhooks of GitHub: docs.github.com, "Webhook events and payloads", "Validating webhook
 * deliveries".
 */
const github: Vendor = {
  isSigned: ({ headers, body }, secret) => hasSignature(body, secret, getHeaderText(headers['x-hub-signature-256'])),
  event: (headers) => toHookEvent(getHeaderText(headers['x-github-event']), ['push', 'create', 'delete'], ['ping']),
  places: ({ repository }) => listNested(repository, 'full_name', 'clone_url', 'ssh_url', 'git_url', 'html_url'),
  delivery: 'x-github-delivery',
}

/** Webhooks of GitLab: docs.gitlab.com, "Webhook events", "Validate payloads by using a secret token". */
const gitlab: Vendor = {
  isSigned: async ({ headers }, secret) => isEqualText(getHeaderText(headers['x-gitlab-token']) ?? '', secret),
  event: (headers) =>
    toHookEvent(getHeaderText(headers['x-gitlab-event']), ['Push Hook', 'Tag Push Hook', 'System Hook']),
  places: ({ project }) => listNested(project, 'path_with_namespace', 'git_http_url', 'git_ssh_url', 'web_url'),
  delivery: 'x-gitlab-event-uuid',
}

/** Webhooks of Gitea and Forgejo: docs.gitea.com, "Webhooks". The HMAC has no algorithm prefix. */
const gitea: Vendor = {
  isSigned: ({ headers, body }, secret) => {
    const digest = getHeaderText(headers['x-gitea-signature'])
    return hasSignature(body, secret, digest === undefined ? undefined : `sha256=${digest}`)
  },
  event: (headers) => toHookEvent(getHeaderText(headers['x-gitea-event']), ['push', 'create', 'delete']),
  places: ({ repository }) => listNested(repository, 'full_name', 'clone_url', 'ssh_url', 'html_url'),
  delivery: 'x-gitea-delivery',
}

/**
 * Webhooks of Bitbucket Cloud and Data Center: support.atlassian.com, "Event payloads";
 * confluence.atlassian.com, "Event payload". Data Center's connection test has no signature.
 */
const bitbucket: Vendor = {
  isSigned: ({ headers, body }, secret) => hasSignature(body, secret, getHeaderText(headers['x-hub-signature'])),
  event: (headers) =>
    toHookEvent(
      getHeaderText(headers['x-event-key']),
      ['repo:push', 'repo:refs_changed', 'mirror:repo_synchronized'],
      ['diagnostics:ping'],
    ),
  isUnsignedPing: (headers) => getHeaderText(headers['x-event-key']) === 'diagnostics:ping',
  places({ repository }) {
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
