import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { throwIssue } from '../../base/issue.ts'
import { noPipes, startChildProcess } from '../../base/program/child-process.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { signalGroupMembers, signalProcess } from '../../machine/system/process-group.ts'
import { buildGitEnvironment, createLimitedCommand } from './git-command.ts'
import { gitIssues } from './issues.ts'
import { hiddenPrefix } from './ref-names.ts'

/** The git commands that a server runs for clients. */
export type GitService = 'upload-pack' | 'receive-pack'

/** Options for serving one request of a client. */
export interface ServeGitOptions {
  /** True to send only the list of refs and capabilities. */
  readonly advertise?: boolean
  /** Value of GIT_PROTOCOL, such as `version=2`. */
  readonly protocol?: string | undefined
  /** Git settings for this request, with priority over the repository's settings. */
  readonly config?: readonly (readonly [string, string])[]
  /** Environment variables for the hooks. */
  readonly env?: Readonly<Record<string, string>>
}

/** A git process that serves one request. */
export interface ServedGit {
  readonly stdin: ChildProcessWithoutNullStreams['stdin']
  readonly stdout: ChildProcessWithoutNullStreams['stdout']
  /** Resolves with exit status or signal, and standard error; never rejects. */
  readonly ended: Promise<{ readonly status: number | null; readonly signal: string | null; readonly said: string }>
  /** Ends git and its hooks so that the push is undone; kills processes that do not exit. */
  end(): void
}

/** Milliseconds to wait for git to exit by itself, and again after SIGTERM, which makes git remove its locks. */
const patienceMs = 10_000
/** Bytes of git's standard error to keep. */
const maxSaidBytes = 16 * 1024

/** Hides internal refs from clients, and also objects that only internal refs reach. */
const always: Readonly<Record<GitService, readonly (readonly [string, string])[]>> = {
  'upload-pack': [
    ['transfer.hideRefs', hiddenPrefix],
    ['uploadpack.allowTipSHA1InWant', 'false'],
    ['uploadpack.allowReachableSHA1InWant', 'false'],
    ['uploadpack.allowAnySHA1InWant', 'false'],
    ['uploadpack.allowRefInWant', 'false'],
    // Allows partial clones, with those filters that cost git little work.
    ['uploadpack.allowFilter', 'true'],
    ['uploadpackfilter.allow', 'false'],
    ['uploadpackfilter.blob:none.allow', 'true'],
    ['uploadpackfilter.blob:limit.allow', 'true'],
    ['uploadpackfilter.tree.allow', 'true'],
  ],
  'receive-pack': [
    ['transfer.hideRefs', hiddenPrefix],
    ['receive.fsckObjects', 'true'],
    ['receive.advertisePushOptions', 'true'],
  ],
}

/**
 * Starts `git upload-pack` or `git receive-pack` for one request of a remote client
 * (`--stateless-rpc`). Git leads its own process group, so that its hooks can be killed together
 * with it. Throws GIT_NOT_STARTED.
 */
export function serveGit(gitDir: string, service: GitService, options: ServeGitOptions = {}): ServedGit {
  const { advertise = false, protocol, config = [], env = {} } = options
  const settings = [...always[service], ...config].flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const words = [...settings, service, '--stateless-rpc', ...(advertise ? ['--advertise-refs'] : []), gitDir]
  const limited = service === 'receive-pack' && !advertise
  const git = limited ? createLimitedCommand(words) : { program: 'git', words, env: {} }
  const surroundings = {
    ...buildGitEnvironment({ gitDir, quarantine: false }),
    ...env,
    ...git.env,
    ...(protocol !== undefined && { GIT_PROTOCOL: protocol }),
  }
  const child = startGitProcess(() => spawn(git.program, git.words, { env: surroundings, cwd: '/', detached: true }))
  if (!child.stdio) return throwIssue(gitIssues.GIT_NOT_STARTED, { why: noPipes })
  child.stdin.on('error', () => {}) // Errors of this pipe are ignored, since the exit event reports their cause.
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < maxSaidBytes) said += chunk
  })
  let isOver = false
  const ended = new Promise<Awaited<ServedGit['ended']>>((done) => {
    child.once('error', ({ message }) => done({ status: null, signal: null, said: message }))
    child.once('exit', () => (isOver = true))
    child.once('close', (status, signal) => done({ status, signal, said: said.trim() }))
  })
  let isEnding = false
  const endProcess = () => {
    if (isOver || isEnding || child.pid === undefined) return
    isEnding = true
    void endGracefully(child, child.pid)
  }
  return { stdin: child.stdin, stdout: child.stdout, ended, end: endProcess }
}

function startGitProcess<Child>(start: () => Child): Child {
  try {
    return startChildProcess(start)
  } catch (error) {
    return throwIssue(gitIssues.GIT_NOT_STARTED, { why: formatError(error) })
  }
}

/**
 * Ends git so that it cleans up: when its input is closed and its hooks are killed, git rejects the
 * push. A signal would leave the quarantine behind (git 2.39, tmp-objdir.c), so signals are sent
 * only if git does not exit.
 */
async function endGracefully(child: ChildProcessWithoutNullStreams, leader: number): Promise<void> {
  child.stdin.destroy()
  child.stdout.resume()
  const signalLater = (times: number, signal: NodeJS.Signals) =>
    setTimeout(() => signalProcess(-leader, signal), times * patienceMs).unref()
  const signals = [signalLater(1, 'SIGTERM'), signalLater(2, 'SIGKILL')]
  child.once('exit', () => signals.forEach(clearTimeout))
  if (!(await signalGroupMembers(leader, 'SIGTERM'))) signalProcess(-leader, 'SIGTERM')
}
