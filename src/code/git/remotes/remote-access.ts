import { fail } from '../../../base/issue.ts'
import type { Remote } from './remote.ts'
import { remoteIssues } from './remote-issues.ts'
import { readSecretFile } from './secret-file.ts'

/** The means by which a remote is reached: files are named, and read each time, so that a secret can be changed. */
export interface RemoteAccess {
  /** The user for a remote that names none. */
  readonly username?: string | undefined
  /** A file with the token of an https remote. */
  readonly tokenFile?: string | undefined
  /** A file with the private key of an ssh remote. */
  readonly privateKey?: string | undefined
  /** The keys of ssh hosts, in place of those that ssh itself looks at. */
  readonly knownHosts?: string | undefined
  /** A file with the authorities of an https remote, in place of those of the machine. */
  readonly authorities?: string | undefined
  /** The URL of a proxy for http and https. */
  readonly proxy?: string | undefined
  /** Further settings of git, which count before those that are made of the others. */
  readonly config?: readonly (readonly [key: string, value: string])[]
}

/** Settings of git for one remote, and the texts in them that nobody may see. */
export interface GitAccess {
  readonly config: readonly (readonly [key: string, value: string])[]
  readonly secrets: readonly string[]
}

/** The user that stands before a token where none is named: Git hosts look at the token alone. */
const anyUser = 'x-oauth-token'

/** Settings by which git reaches a remote, secrets among them: never for a command line. Throws what is wrong with a file. */
export async function gitAccess(remote: Remote, access: RemoteAccess): Promise<GitAccess> {
  if (remote.protocol === 'file') return { config: [['safe.directory', '*']], secrets: [] }
  if (remote.protocol === 'ssh') return { config: [['core.sshCommand', await sshCommand(remote, access)]], secrets: [] }
  const password = remote.password ?? (access.tokenFile && (await readSecretFile(access.tokenFile)))
  const basic = password && Buffer.from(`${remote.user ?? access.username ?? anyUser}:${password}`).toString('base64')
  if (basic && remote.protocol === 'http' && !isThisMachine(remote.host ?? ''))
    fail(remoteIssues.SECRET_IN_PLAIN, { url: remote.url })
  const { proxy, authorities } = access
  const config: [string, string][] = [
    ['http.sslVerify', 'true'],
    // A secret goes where it was meant to go, and nowhere else.
    ['http.followRedirects', basic ? 'false' : 'initial'],
    ['http.lowSpeedLimit', String(slowBytesPerSecond)],
    ['http.lowSpeedTime', String(slowSeconds)],
  ]
  if (basic) config.push([`http.${remote.url}.extraHeader`, `Authorization: Basic ${basic}`])
  if (proxy !== undefined) config.push(['http.proxy', proxy])
  if (authorities !== undefined) config.push(['http.sslCAInfo', authorities])
  return {
    config: [...config, ...(access.config ?? [])],
    secrets: [password, basic, proxy && passwordOf(proxy)].filter(
      (each) => typeof each === 'string' && each !== '',
    ) as string[],
  }
}

/** True of a host that nobody on the way can listen to. */
function isThisMachine(host: string): boolean {
  return /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/.test(host)
}

/** A remote that gives less than so many bytes in a second, for so many seconds, is given up. */
const slowBytesPerSecond = 100
const slowSeconds = 60

/** Seconds of ssh for a connection, and of silence after which it asks for a sign of life. */
const connectSeconds = 20
const aliveSeconds = 15

/** ssh as it asks nobody, forwards nothing and takes no host whose key is not known. Git hands it to a shell: all is quoted. */
async function sshCommand(remote: Remote, { privateKey, knownHosts, username }: RemoteAccess): Promise<string> {
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
      : [`UserKnownHostsFile=${sshWord(knownHosts)}`, 'GlobalKnownHostsFile=/dev/null']),
  ].flatMap((option) => ['-o', option])
  const key = privateKey === undefined ? [] : ['-i', privateKey]
  const user = remote.user === undefined && username !== undefined ? ['-l', username] : []
  return ['ssh', ...options, ...key, ...user].map(quoted).join(' ')
}

/** A path as ssh_config(5) reads it: blanks part several files, a percent sign begins a token. */
function sshWord(path: string): string {
  return `"${path.replace(/%/g, '%%')}"`
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`
}

function passwordOf(url: string): string {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).password) : ''
}
