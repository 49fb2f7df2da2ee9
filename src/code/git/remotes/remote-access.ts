import { throwIssue } from '../../../base/issue.ts'
import type { Remote } from './remote.ts'
import { remoteIssues } from './remote-issues.ts'
import { readSecretFile } from './secret-file.ts'

/**
 * Credentials and settings for a remote. Secrets are in files, which are read on each use, so that
 * they can be changed.
 */
export interface RemoteAccess {
  /** The user name, unless the remote's URL contains a user name. */
  readonly username?: string | undefined
  /** File with the token for an https remote. */
  readonly tokenFile?: string | undefined
  /** File with the private key for an ssh remote. */
  readonly privateKey?: string | undefined
  /** File with the host keys for ssh, used instead of ssh's own files. */
  readonly knownHosts?: string | undefined
  /** File with the CA certificates for an https remote, used instead of those of the machine. */
  readonly authorities?: string | undefined
  /** URL of a proxy for http and https. */
  readonly proxy?: string | undefined
  /** Additional git settings, with priority over all others. */
  readonly config?: readonly (readonly [key: string, value: string])[]
}

/** Git settings for one remote, and the secret values in them, which must be redacted in messages. */
export interface GitAccess {
  readonly config: readonly (readonly [key: string, value: string])[]
  readonly secrets: readonly string[]
}

/** User name that is sent with a token if no user name is given: Git hosts check only the token. */
const anyUser = 'x-oauth-token'

/**
 * Returns the git settings to access a remote. They contain secrets, so they must not be passed on
 * a command line. Throws if a secret file is invalid.
 */
export async function createGitSettings(remote: Remote, access: RemoteAccess): Promise<GitAccess> {
  if (remote.protocol === 'file') return { config: [['safe.directory', '*']], secrets: [] }
  if (remote.protocol === 'ssh')
    return { config: [['core.sshCommand', await buildSshCommand(remote, access)]], secrets: [] }
  const password = remote.password ?? (access.tokenFile && (await readSecretFile(access.tokenFile)))
  const basic = password && Buffer.from(`${remote.user ?? access.username ?? anyUser}:${password}`).toString('base64')
  if (basic && remote.protocol === 'http' && !isLocalHost(remote.host ?? ''))
    throwIssue(remoteIssues.SECRET_IN_PLAIN, { url: remote.url })
  const { proxy, authorities } = access
  const config: [string, string][] = [
    ['http.sslVerify', 'true'],
    // Secrets must not follow a redirect to another host.
    ['http.followRedirects', basic ? 'false' : 'initial'],
    ['http.lowSpeedLimit', String(slowBytesPerSecond)],
    ['http.lowSpeedTime', String(slowSeconds)],
  ]
  if (basic) config.push([`http.${remote.url}.extraHeader`, `Authorization: Basic ${basic}`])
  if (proxy !== undefined) config.push(['http.proxy', proxy])
  if (authorities !== undefined) config.push(['http.sslCAInfo', authorities])
  return {
    config: [...config, ...(access.config ?? [])],
    secrets: [password, basic, proxy && getUrlPassword(proxy)].filter(
      (each) => typeof each === 'string' && each !== '',
    ) as string[],
  }
}

/** Returns true for the local host: connections to it cannot be intercepted. */
function isLocalHost(host: string): boolean {
  return /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/.test(host)
}

/** A transfer slower than this rate (bytes per second) for this time (seconds) is aborted. */
const slowBytesPerSecond = 100
const slowSeconds = 60

/** Timeouts of ssh in seconds: for connecting, and without data before a keepalive is sent. */
const connectSeconds = 20
const aliveSeconds = 15

/**
 * Returns an ssh command that never prompts or forwards, and that rejects unknown host keys. Git
 * passes the command to a shell, so all arguments are quoted.
 */
async function buildSshCommand(remote: Remote, { privateKey, knownHosts, username }: RemoteAccess): Promise<string> {
  if (privateKey !== undefined) await readSecretFile(privateKey)
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    'UpdateHostKeys=no',
    `ConnectTimeout=${connectSeconds}`,
    `ServerAliveInterval=${aliveSeconds}`,
    'ForwardAgent=no',
    'ForwardX11=no',
    'ClearAllForwardings=yes',
    'PermitLocalCommand=no',
    ...(privateKey === undefined ? [] : ['IdentitiesOnly=yes']),
    ...(knownHosts === undefined
      ? []
      : [`UserKnownHostsFile=${quoteSshPath(knownHosts)}`, 'GlobalKnownHostsFile=/dev/null']),
  ].flatMap((option) => ['-o', option])
  const key = privateKey === undefined ? [] : ['-i', privateKey]
  const user = remote.user === undefined && username !== undefined ? ['-l', username] : []
  return ['ssh', ...options, ...key, ...user].map(quoteShellWord).join(' ')
}

/** Quotes a path for ssh_config(5), in which blanks separate files and a percent sign begins a token. */
function quoteSshPath(path: string): string {
  return `"${path.replace(/%/g, '%%')}"`
}

function quoteShellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`
}

function getUrlPassword(url: string): string {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).password) : ''
}
