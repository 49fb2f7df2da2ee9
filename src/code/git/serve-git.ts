import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fail } from '../../base/issue.ts'
import { noPipes, startChild } from '../../base/threads/start-child.ts'
import { errorText } from '../../language/ruby-semantics/errno.ts'
import { signalFollowers, signalProcess } from '../../machine/system/process-group.ts'
import { gitEnvironment, limitedGit } from './git-command.ts'
import { gitIssues } from './issues.ts'
import { hiddenPrefix } from './names.ts'

/** The two sides of git that a server has. */
export type GitService = 'upload-pack' | 'receive-pack'

/** Options of a served request. */
export interface ServeGitOptions {
  /** Only the list of refs and capabilities. */
  readonly advertise?: boolean
  /** `version=2`: git's GIT_PROTOCOL. */
  readonly protocol?: string | undefined
  /** Settings of this request, which win over the repository's. */
  readonly config?: readonly (readonly [string, string])[]
  /** Variables for the hooks. */
  readonly env?: Readonly<Record<string, string>>
}

/** A git that serves one request. */
export interface ServedGit {
  readonly stdin: ChildProcessWithoutNullStreams['stdin']
  readonly stdout: ChildProcessWithoutNullStreams['stdout']
  /** Its exit status or the signal that ended it, and its last words; never rejects. */
  readonly ended: Promise<{ readonly status: number | null; readonly signal: string | null; readonly said: string }>
  /** Ends it with its hooks: a push is taken back; what does not end by that is killed. */
  end(): void
}

/** The time in which git ends by itself, and then again at SIGTERM, at which it takes its locks away. Milliseconds. */
const patienceMs = 10_000
/** Bytes of git's standard error that are kept. */
const maxSaidBytes = 16 * 1024

/** Nobody sees the refs that the server keeps for itself, nor fetches by an id what no ref of theirs leads to. */
const always: Readonly<Record<GitService, readonly (readonly [string, string])[]>> = {
  'upload-pack': [
    ['transfer.hideRefs', hiddenPrefix],
    ['uploadpack.allowTipSHA1InWant', 'false'],
    ['uploadpack.allowReachableSHA1InWant', 'false'],
    ['uploadpack.allowAnySHA1InWant', 'false'],
    ['uploadpack.allowRefInWant', 'false'],
    // Partial clones, by the filters that cost git little.
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
 * Starts `git upload-pack` or `git receive-pack` for one request of a client that is elsewhere (`--stateless-rpc`). It
 * leads a group of processes, so that its hooks end with it. Throws GIT_NOT_STARTED.
 */
export function serveGit(gitDir: string, service: GitService, options: ServeGitOptions = {}): ServedGit {
  const { advertise = false, protocol, config = [], env = {} } = options
  const settings = [...always[service], ...config].flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const words = [...settings, service, '--stateless-rpc', ...(advertise ? ['--advertise-refs'] : []), gitDir]
  const limited = service === 'receive-pack' && !advertise
  const git = limited ? limitedGit(words) : { program: 'git', words, env: {} }
  const surroundings = {
    ...gitEnvironment({ gitDir, quarantine: false }),
    ...env,
    ...git.env,
    ...(protocol !== undefined && { GIT_PROTOCOL: protocol }),
  }
  const child = started(() => spawn(git.program, git.words, { env: surroundings, cwd: '/', detached: true }))
  if (!child.stdio) return fail(gitIssues.GIT_NOT_STARTED, { why: noPipes })
  child.stdin.on('error', () => {}) // its end says all
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
  const end = () => {
    if (isOver || isEnding || child.pid === undefined) return
    isEnding = true
    void endGently(child, child.pid)
  }
  return { stdin: child.stdin, stdout: child.stdout, ended, end }
}

function started<Child>(start: () => Child): Child {
  try {
    return startChild(start)
  } catch (error) {
    return fail(gitIssues.GIT_NOT_STARTED, { why: errorText(error) })
  }
}

/**
 * Ends git so that it tidies up: it hears no more, its hooks are gone, and so it takes the push for a refused one. At a
 * signal it would leave the quarantine there (git 2.39, tmp-objdir.c). Signals are for what does not end by then.
 */
async function endGently(child: ChildProcessWithoutNullStreams, leader: number): Promise<void> {
  child.stdin.destroy()
  child.stdout.resume()
  const later = (times: number, signal: NodeJS.Signals) =>
    setTimeout(() => signalProcess(-leader, signal), times * patienceMs).unref()
  const signals = [later(1, 'SIGTERM'), later(2, 'SIGKILL')]
  child.once('exit', () => signals.forEach(clearTimeout))
  if (!(await signalFollowers(leader, 'SIGTERM'))) signalProcess(-leader, 'SIGTERM')
}
