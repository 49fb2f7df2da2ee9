import { defineIssues, throwIssue } from '../../../base/issue.ts'
import { toPrintable } from '../../../base/text/printable.ts'

/** The address of a remote repository, without a password. */
export interface Remote {
  /** The protocol name for GIT_ALLOW_PROTOCOL. */
  readonly protocol: 'file' | 'ssh' | 'https' | 'http'
  /** An absolute path, or a URL without credentials. */
  readonly url: string
  /** Host with port, in lower case; `undefined` for a path. */
  readonly host: string | undefined
  /** Path on the host, without leading or trailing slash and without `.git`. */
  readonly path: string
  /** User in the URL. */
  readonly user: string | undefined
  /** Password in the URL. */
  readonly password: string | undefined
}

const issues = defineIssues({
  REMOTE_REFUSED: {
    text: (a: { remote: string; why: string }) => `'${toPrintable(a.remote)}' cannot be fetched: ${a.why}`,
    hint: () =>
      'Give the absolute path of a repository, ssh://[USER@]HOST/PATH, [USER@]HOST:PATH, https://HOST/PATH or http://HOST/PATH.',
  },
})

/** Largest number of characters in a remote's address; a typical URL has about a hundred. */
const maxRemoteLength = 2048
/** Largest number of characters of an address to show in a message. */
const maxShownLength = 200
/** A host name or address. It must not begin with a dash, which ssh would parse as an option. */
const hostName = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/i
const userName = /^[\w.+][\w.+@-]*$/

/**
 * Parses a repository address. Since git runs programs for some addresses (`ext::`, a leading dash,
 * gitremote-helpers(7)), only known forms are accepted. Throws REMOTE_REFUSED.
 */
export function parseRemoteAddress(text: string): Remote {
  // The message must not repeat secrets.
  const rejectRemote = (why: string): never => throwIssue(issues.REMOTE_REFUSED, { remote: redactRemote(text), why })
  if (text === '' || text.length > maxRemoteLength) rejectRemote('it is empty or too long')
  if (toPrintable(text) !== text || /\s/.test(text)) rejectRemote('it contains invalid characters')
  if (text.startsWith('-')) rejectRemote('it begins with a dash')
  if (/^[\w.+-]*::/.test(text)) rejectRemote('it would run a program')
  if (text.startsWith('/')) return createPathRemote(text)
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text) ?? []
  if (scheme !== undefined) return parseUrlRemote(text, scheme.toLowerCase(), rejectRemote)
  return parseScpRemote(text, rejectRemote)
}

/** Returns a remote's address without the credentials in its URL. */
export function redactRemote(text: string): string {
  const shown = text.slice(0, maxRemoteLength)
  const start = shown.indexOf('://') + '://'.length
  if (start < '://'.length) return shown.slice(0, maxShownLength)
  const slash = shown.indexOf('/', start)
  const at = shown.slice(0, slash < 0 ? undefined : slash).lastIndexOf('@')
  const isSecret = at >= start && shown.slice(start, at).includes(':')
  return (isSecret ? `${shown.slice(0, start)}***${shown.slice(at)}` : shown).slice(0, maxShownLength)
}

function createPathRemote(path: string): Remote {
  return {
    protocol: 'file',
    url: path,
    host: undefined,
    path: normalizeRepositoryPath(path),
    user: undefined,
    password: undefined,
  }
}

function parseUrlRemote(text: string, scheme: string, refuse: (why: string) => never): Remote {
  if (scheme === 'git') refuse('git:// does not authenticate the host; use https or ssh')
  const protocol = (['ssh', 'https', 'http', 'file'] as const).find((each) => each === scheme)
  if (!protocol) return refuse(`unknown scheme ${scheme}://; use file, ssh, https or http`)
  if (!URL.canParse(text)) refuse('it is not a URL')
  const { hostname, port, pathname, search, hash, username, password } = new URL(text)
  if (search !== '' || hash !== '') refuse('it contains a query or a fragment')
  const path = decodeUrlPart(pathname, refuse)
  if (protocol === 'file') return hostname === '' ? createPathRemote(path) : refuse('a file URL must not have a host')
  if (!hostName.test(hostname)) refuse('the host name is invalid')
  const user = username === '' ? undefined : decodeUrlPart(username, refuse)
  if (user !== undefined && !userName.test(user)) refuse('the user name is invalid')
  if (normalizeRepositoryPath(path) === '' || path.startsWith('/-')) refuse('it has no repository path')
  const shown = protocol === 'ssh' && user !== undefined ? `${user}@` : ''
  const host = port === '' ? hostname : `${hostname}:${port}`
  return {
    protocol,
    url: `${protocol}://${shown}${host}${pathname}`,
    host: host.toLowerCase(),
    path: normalizeRepositoryPath(path),
    user,
    password: password === '' ? undefined : decodeUrlPart(password, refuse),
  }
}

/** Parses scp syntax: `git@host:group/name.git`. */
function parseScpRemote(text: string, refuse: (why: string) => never): Remote {
  const [, user, host = '', path = ''] = /^(?:([^@/:]+)@)?(\[[^\]/]*\]|[^:/@[\]]+):(.+)$/.exec(text) ?? []
  if (host === '') return refuse('a path must be absolute')
  // Git would parse this path as a URL with an unknown protocol.
  if (path.startsWith('//')) refuse('the protocol is unknown')
  if (!hostName.test(host)) refuse('the host name is invalid')
  if (user !== undefined && !userName.test(user)) refuse('the user name is invalid')
  if (path.startsWith('-') || normalizeRepositoryPath(path) === '') refuse('it has no repository path')
  return {
    protocol: 'ssh',
    url: text,
    host: host.toLowerCase(),
    path: normalizeRepositoryPath(path),
    user,
    password: undefined,
  }
}

function decodeUrlPart(text: string, refuse: (why: string) => never): string {
  const plain = decodePercentEscapes(text) ?? refuse('it is not percent-encoded correctly')
  return toPrintable(plain) === plain ? plain : refuse('it contains invalid characters')
}

function decodePercentEscapes(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Normalizes a path for comparison: without leading and trailing slashes, and without `.git`. */
export function normalizeRepositoryPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.join('/').replace(/\.git$/, '')
}
