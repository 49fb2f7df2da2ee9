import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { createPuppetError, throwIssue } from '../../../base/issue.ts'
import { startChildProcess } from '../../../base/program/child-process.ts'
import { toPrintable } from '../../../base/text/printable.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import { buildGitEnvironment, createLimitedCommand, type LimitedCommand } from '../git-command.ts'
import { gitIssues } from '../issues.ts'
import type { Remote } from './remote.ts'
import { createGitSettings, type GitAccess, type RemoteAccess } from './remote-access.ts'
import { remoteIssues } from './remote-issues.ts'

/** A git command that talks to a remote. */
export interface RemoteTalk {
  /** The repository in which git works. */
  readonly gitDir: string
  readonly remote: Remote
  readonly access: RemoteAccess
  /** Time limit in milliseconds. */
  readonly timeoutMs: number
  /** Limit of git's output in bytes; git is killed when it exceeds the limit. */
  readonly maxOutputBytes: number
  readonly signal?: AbortSignal | undefined
  /** The operation, for messages. */
  readonly doing?: 'fetch from' | 'push to'
  /** Called periodically while git is running; if it throws, git is killed. */
  readonly watch?: () => Promise<void>
}

/** Milliseconds between calls of `watch`. */
const watchMs = 200
/** Number of bytes to keep from the end of git's standard error, where the cause is printed. */
const maxComplaintBytes = 64 * 1024

/**
 * Runs a git command that talks to a remote, and returns its output. Git uses only the given
 * settings and the remote's protocol, never prompts, checks each received object, and is killed
 * together with its child processes. Throws REMOTE_FAILED with git's message (secrets redacted),
 * REMOTE_TOOK_TOO_LONG, REMOTE_SAYS_TOO_MUCH.
 */
export async function runRemoteGit(args: readonly string[], talk: RemoteTalk): Promise<string> {
  const { gitDir, remote, timeoutMs, doing } = talk
  const access = await createGitSettings(remote, talk.access)
  const limited = createLimitedCommand(['--git-dir', gitDir, ...args])
  const child = startProcessGroup(limited, { ...buildRemoteEnvironment(gitDir, remote, access), ...limited.env })
  const over = new AbortController()
  const endWithError = (error: Error) => {
    if (!over.signal.aborted) over.abort(error)
    killProcessGroup(child)
  }
  const timer = setTimeout(
    () =>
      endWithError(
        createPuppetError(remoteIssues.REMOTE_TOOK_TOO_LONG, { url: remote.url, doing, seconds: timeoutMs / 1000 }),
      ),
    timeoutMs,
  )
  const watching = setInterval(() => talk.watch?.().catch(endWithError), watchMs)
  const abortOnShutdown = () =>
    endWithError(
      createPuppetError(remoteIssues.REMOTE_FAILED, { url: remote.url, doing, why: 'the server is stopping' }),
    )
  talk.signal?.addEventListener('abort', abortOnShutdown)
  if (talk.signal?.aborted) abortOnShutdown()
  try {
    const { status, out, complaints } = await waitForOutcome(child, talk, endWithError)
    over.signal.throwIfAborted()
    await talk.watch?.()
    if (status === 0) return out
    return throwIssue(remoteIssues.REMOTE_FAILED, {
      url: remote.url,
      doing,
      why: formatLastErrors(complaints, access.secrets, status),
    })
  } finally {
    clearTimeout(timer)
    clearInterval(watching)
    talk.signal?.removeEventListener('abort', abortOnShutdown)
    killProcessGroup(child)
  }
}

/** Starts a process group, so that ssh and git's helpers can be killed together with git. */
function startProcessGroup({ program, words }: LimitedCommand, env: NodeJS.ProcessEnv): ChildProcess {
  try {
    const options: SpawnOptions = { env, cwd: '/', detached: true, stdio: ['ignore', 'pipe', 'pipe'] }
    return startChildProcess(() => spawn(program, words, options))
  } catch (error) {
    return throwIssue(gitIssues.GIT_NOT_STARTED, { why: formatError(error) })
  }
}

function killProcessGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All processes of the group have ended.
  }
}

interface Outcome {
  readonly status: number | null
  readonly out: string
  readonly complaints: string
}

function waitForOutcome(child: ChildProcess, talk: RemoteTalk, end: (error: Error) => void): Promise<Outcome> {
  const printed: Buffer[] = []
  let size = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= talk.maxOutputBytes) printed.push(chunk)
    else end(createPuppetError(remoteIssues.REMOTE_SAYS_TOO_MUCH, { url: talk.remote.url, bound: talk.maxOutputBytes }))
  })
  let complaints = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString('utf8')).slice(-maxComplaintBytes)
  })
  return new Promise((done, failed) => {
    child.once('error', (error) => failed(createPuppetError(gitIssues.GIT_NOT_STARTED, { why: error.message })))
    child.once('close', (status) => done({ status, out: Buffer.concat(printed).toString('utf8'), complaints }))
    // Child processes of git may keep the pipes open after git exits.
    child.once('exit', () => setTimeout(() => killProcessGroup(child), watchMs).unref())
  })
}

/** Largest number of git's error lines in a message. */
const maxLines = 4

/** Returns the last error lines of git and ssh as one line, with secrets redacted. */
function formatLastErrors(complaints: string, secrets: readonly string[], status: number | null): string {
  const lines = complaints
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    // Omits lines that git prints with every failure.
    .filter((line) => line !== '' && !/^(?:Please make sure you have|and the repository exists)/.test(line))
  const telling = lines.filter((line) =>
    /^(?:fatal|error|ERROR|remote|ssh):|^\w[\w@.-]*: Permission|verification failed/.test(line),
  )
  const said = (telling.length > 0 ? telling : lines).slice(-maxLines).join('; ')
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), said)
  return toPrintable(hidden.slice(-1000)) || `git exited with status ${status}`
}

/**
 * Findings of fsck that old Git servers have caused and that are harmless. Any other finding causes
 * the object to be rejected.
 */
const harmless = ['zeroPaddedFilemode', 'missingSpaceBeforeDate', 'badTimezone', 'badTimezoneOverflow']

/** Settings for every command that talks to a remote: no hooks, no prompts, no other hosts, no background tasks. */
const always: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['fetch.fsckObjects', 'true'],
  ['transfer.fsckObjects', 'true'],
  ...harmless.map((finding) => [`fetch.fsck.${finding}`, 'ignore'] as const),
  // Keep the objects in one pack, which can be moved as a whole.
  ['fetch.unpackLimit', '1'],
  ['transfer.bundleURI', 'false'],
  ['submodule.recurse', 'false'],
  ['maintenance.auto', 'false'],
  ['gc.auto', '0'],
  ['protocol.version', '2'],
]

function buildRemoteEnvironment(gitDir: string, { protocol }: Remote, { config }: GitAccess): NodeJS.ProcessEnv {
  const entries = [['safe.directory', gitDir] as const, ...always, ...config]
  const settings = entries.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return {
    ...buildGitEnvironment({ gitDir, quarantine: false }),
    ...Object.fromEntries(settings),
    GIT_CONFIG_COUNT: String(entries.length),
    // A host may redirect from http to https, but not from https to http.
    GIT_ALLOW_PROTOCOL: protocol === 'http' ? 'http:https' : protocol,
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_SSH_VARIANT: 'ssh',
  }
}
