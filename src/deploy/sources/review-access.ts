import { trimTrailing } from '../../base/text/trailing-characters.ts'
import { normalizeRepositoryPath, type Remote } from '../../code/git/remotes/remote.ts'
import { sourceKeys } from './source-keys.ts'
import { failSourcesFile, getBoolean, getMapping, getPath, getText, type Mapping } from './sources-file-mapping.ts'

/** The kinds of Git hosts with an API for merge requests. */
export const reviewHosts = ['github', 'gitlab', 'gitea', 'bitbucket', 'bitbucket_server'] as const

/** A kind of Git host. */
export type ReviewHost = (typeof reviewHosts)[number]

/** Access to the merge requests of a source on its Git host. */
export interface ReviewAccess {
  readonly host: ReviewHost
  /** Address of the Git host, `https://HOST[:PORT][/PATH]`, without a slash at the end. */
  readonly url: string
  /** Path of the repository on the Git host: `OWNER/NAME`, or `GROUP/…/NAME` on GitLab. */
  readonly repository: string
  /** File with the token for the API. */
  readonly tokenFile: string
  /** User of the token; undefined if the token alone identifies its user. */
  readonly username: string | undefined
  /** True to compile the code of merge requests from forks without an operator. */
  readonly forks: boolean
  /** Address of this server's console for links; undefined for no links. */
  readonly consoleUrl: string | undefined
}

/** Local hosts, to which plain http crosses no network. */
const ownHost = /^(?:localhost|127\.[\d.]+|\[::1\])$/

/** Git hosts with one address for everybody. */
const publicAddresses: Readonly<Partial<Record<ReviewHost, string>>> = {
  bitbucket: 'https://bitbucket.org',
}

/**
 * Parses the key `review` of a source, or else of the whole file; undefined if it is missing. `token` is the token
 * file of the remote, which is used if the key names none. Throws SOURCES_FILE.
 */
export function parseReviewAccess(
  own: Mapping,
  whole: Mapping,
  { remote, tokenFile: usual }: { readonly remote: Remote; readonly tokenFile: string | undefined },
): ReviewAccess | undefined {
  const holder = [own, whole].find(({ values }) => (values['review'] ?? undefined) !== undefined)
  if (!holder) return undefined
  const review = getMapping(holder, 'review', sourceKeys.review)
  const fail = (why: string): never => failSourcesFile(review.notes, why)
  const given = getText(review, 'host') ?? ''
  const host = reviewHosts.find((each) => each === (given === 'forgejo' ? 'gitea' : given))
  if (!host)
    return fail(`host of ${review.place} must be one of ${reviewHosts.join(', ')}, not '${given.slice(0, 64)}'`)
  const tokenFile = getPath(review, 'token_file') ?? usual
  if (tokenFile === undefined) return fail(`${review.place} has no token_file, and ${own.place} has no oauth_token`)
  const url = parseAddress(review, 'url') ?? publicAddresses[host] ?? getRemoteAddress(remote)
  if (url === undefined) return fail(`${review.place} has no url, and the remote of ${own.place} names no host`)
  const repository = normalizeRepositoryPath(getText(review, 'repository') ?? getRemotePath(remote, host))
  if (!isRepositoryPath(repository, host))
    fail(`repository of ${review.place} must be the path of a repository on its host, such as team/control`)
  return {
    ...{ host, url, repository, tokenFile },
    username: getText(review, 'username'),
    forks: getBoolean(review, 'forks') ?? false,
    consoleUrl: parseAddress(review, 'console_url'),
  }
}

/** Returns the web address of the host of a remote, which has the port of the remote only for https. */
function getRemoteAddress({ protocol, host }: Remote): string | undefined {
  if (host === undefined) return undefined
  if (protocol === 'ssh') return `https://${host.replace(/:\d+$/, '')}`
  return `${protocol}://${host}`
}

/** Returns the path of the repository of a remote; Bitbucket Data Center adds `scm` to it for https. */
function getRemotePath({ path, protocol }: Remote, host: ReviewHost): string {
  return host === 'bitbucket_server' && protocol !== 'ssh' ? path.replace(/^(?:.*\/)?scm\//, '') : path
}

function isRepositoryPath(path: string, host: ReviewHost): boolean {
  const names = path.split('/')
  const isCountRight = host === 'gitlab' ? names.length >= 2 && names.length <= 21 : names.length === 2
  return isCountRight && names.every((name) => /^[\w~-][\w.~-]{0,254}$/.test(name) && !name.includes('..'))
}

/** Returns an address that receives a token or is a link: https, or http on this machine. Throws SOURCES_FILE. */
function parseAddress(given: Mapping, key: string): string | undefined {
  const text = getText(given, key)
  if (text === undefined || text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (!url || !isPlain || !/^https?:$/.test(url.protocol) || /[^!-~]|[()<>[\]"'`\\|]/.test(text))
    return failSourcesFile(given.notes, `${key} of ${given.place} must be https://HOST[:PORT][/PATH]`)
  if (url.protocol === 'http:' && !ownHost.test(url.hostname))
    failSourcesFile(given.notes, `${key} of ${given.place} must use https, except on this machine`)
  return trimTrailing(url.href, '/')
}
