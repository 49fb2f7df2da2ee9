import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import { createPuppetError, throwIssue } from '../../base/issue.ts'
import { noPipes, startChildProcess } from '../../base/program/child-process.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { limitMemory } from '../../machine/system/memory-limit.ts'
import { gitIssues } from './issues.ts'

/** A repository, and the set of its objects that a git process can see. */
export interface GitPlace {
  readonly gitDir: string
  /**
   * Makes the objects of a running push visible. Git keeps them in quarantine
   * (git-receive-pack(1)). The value is true inside a pre-receive hook, whose environment variables
   * contain the path of the quarantine; elsewhere, it is that path (`resolveQuarantine`).
   */
  readonly quarantine: boolean | string
}

/**
 * Starts git on a repository, isolated from the user's git settings. Uses `spawn` instead of execa,
 * because callers use the pipes directly, for long dialogs or large streams, and handle the exit
 * themselves. Throws GIT_NOT_STARTED for immediate errors; the child process emits later errors as
 * `error` events.
 */
export function spawnGit(place: GitPlace, args: readonly string[]): ChildProcessWithoutNullStreams {
  const child = startGit(place, args)
  return child.stdio ? child : throwIssue(gitIssues.GIT_NOT_STARTED, { why: noPipes })
}

/** Starts git. Throws if memory or another resource is exhausted. */
function startGit(place: GitPlace, args: readonly string[]): ChildProcessWithoutNullStreams {
  try {
    return startChildProcess(() =>
      spawn('git', buildArguments(place, args), { env: buildGitEnvironment(place), cwd: '/' }),
    )
  } catch (error) {
    return throwIssue(gitIssues.GIT_NOT_STARTED, { why: formatError(error) })
  }
}

/** Runs git and returns its output. Throws GIT_FAILED, which contains git's error message, and GIT_NOT_STARTED. */
export async function runGit(
  place: GitPlace,
  args: readonly string[],
  input: string | Uint8Array = '',
): Promise<Buffer> {
  const { status, stdout, why } = await runGitProgram(buildArguments(place, args), {
    env: buildGitEnvironment(place),
    cwd: '/',
    input,
  })
  return status === 0 ? stdout : throwIssue(gitIssues.GIT_FAILED, { command: args[0] ?? '', why })
}

/** Runs git with its output written to a file descriptor. Throws the same errors as `runGit`. */
export async function writeGitOutput(place: GitPlace, args: readonly string[], stdout: number): Promise<void> {
  const { status, why } = await runGitProgram(buildArguments(place, args), {
    env: buildGitEnvironment(place),
    cwd: '/',
    stdout,
  })
  if (status !== 0) throwIssue(gitIssues.GIT_FAILED, { command: args[0] ?? '', why })
}

/** Options of a git process whose output is read as it arrives. */
export interface GitOutputOptions {
  /** Kills git when aborted; reading the output then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Called with git's standard error after a successful end. */
  readonly complaints?: (text: string) => void
  /** Text for git's standard input. */
  readonly input?: string
}

/** Bytes of git's standard error to keep. */
const maxStderrBytes = 1024 * 1024

/**
 * Starts git and returns its output as a stream; if the caller stops the iteration, git is killed.
 * Throws GIT_NOT_STARTED. If git fails, the stream throws GIT_FAILED after all output, which may be
 * incomplete.
 */
export async function openGitOutput(
  place: GitPlace,
  args: readonly string[],
  { signal, complaints, input = '' }: GitOutputOptions = {},
): Promise<AsyncIterable<Buffer>> {
  const child = spawnGit(place, args)
  child.stdin.on('error', () => {}) // Errors of this pipe are ignored, since the exit event reports their cause.
  child.stdin.end(input)
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < maxStderrBytes) said += chunk
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  await new Promise<void>((started, failed) => {
    child.once('spawn', started)
    child.once('error', ({ message }) => failed(createPuppetError(gitIssues.GIT_NOT_STARTED, { why: message })))
  })
  const killGit = () => {
    child.stdout.destroy()
    child.kill('SIGKILL')
  }
  signal?.addEventListener('abort', killGit)
  async function* readOutput() {
    try {
      yield* child.stdout as AsyncIterable<Buffer>
      const status = await ended
      const why = said.trim().split('\n').at(-1) || `it exited with status ${status}`
      if (status !== 0) throwIssue(gitIssues.GIT_FAILED, { command: args[0] ?? '', why })
      complaints?.(said)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      signal?.removeEventListener('abort', killGit)
      killGit()
    }
  }
  return readOutput()
}

/** The git directory of a repository, and its hash algorithm. */
export interface FoundRepository {
  readonly gitDir: string
  readonly objectFormat: 'sha1' | 'sha256'
  /** True if the installed git is older than `hasGit` requires. */
  readonly isOldGit: boolean
}

/** An option of git 2.31 that has no effect here; an older git prints it as output. */
const sinceGit231 = '--path-format=absolute'

/**
 * Finds the git directory and the format of a repository, bare or with a working tree. The
 * directory is passed to git explicitly: if git searched for it, git would reject repositories of
 * other users, and versions 2.35.2 to 2.37 would do so even with `safe.directory`. Throws
 * GIT_NO_REPOSITORY, GIT_NOT_OPENED.
 */
export async function findRepository(directory: string): Promise<FoundRepository> {
  const inside = join(directory, '.git')
  const gitDir = existsSync(inside) ? inside : directory
  const place = { gitDir, quarantine: false }
  const words = buildArguments(place, ['rev-parse', sinceGit231, '--absolute-git-dir', '--show-object-format'])
  const { status, stdout, why } = await runGitProgram(words, { env: buildGitEnvironment(place), cwd: '/' })
  if (status === 0) {
    const said = stdout.toString().trimEnd()
    const end = said.lastIndexOf('\n')
    return {
      gitDir: said.slice(0, end),
      objectFormat: said.slice(end + 1) === 'sha256' ? 'sha256' : 'sha1',
      isOldGit: said.startsWith(sinceGit231),
    }
  }
  if (why.includes('not a git repository')) throwIssue(gitIssues.GIT_NO_REPOSITORY, { path: directory })
  return throwIssue(gitIssues.GIT_NOT_OPENED, { path: directory, why })
}

/** Returns true if git is installed in version 2.31 or newer, which has GIT_CONFIG_COUNT. */
export async function hasGit(): Promise<boolean> {
  const { stdout } = await runGitProgram(['--version'], { env: process.env, cwd: '/', mayBeAbsent: true })
  const [, major, minor] = /(\d{1,9})\.(\d{1,9})/.exec(stdout.toString()) ?? []
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 31)
}

interface Ended {
  /** Exit status; `undefined` if git was not started or was killed. */
  readonly status: number | undefined
  readonly stdout: Buffer
  readonly why: string
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly input?: string | Uint8Array
  /** File descriptor to which the output is written. */
  readonly stdout?: number
  /** True to return normally, without an exception, if git is not installed. */
  readonly mayBeAbsent?: boolean
}

async function runGitProgram(
  words: readonly string[],
  { env, cwd, input = '', stdout: output, mayBeAbsent = false }: Surroundings,
): Promise<Ended> {
  const { execa } = await import('execa') // loaded on demand (0.1 s): environments in folders do not need git
  const options = {
    env,
    extendEnv: false,
    cwd,
    input,
    // execa accepts any descriptor; its types allow only some.
    stdout: (output ?? 'pipe') as 'pipe',
    encoding: 'buffer',
    maxBuffer: Number.POSITIVE_INFINITY,
    stripFinalNewline: false,
    reject: false,
  } as const
  const {
    exitCode,
    signal,
    code,
    stdout,
    stderr,
    originalMessage,
    shortMessage = '',
  } = await startGitProgram(() => execa('git', words, options))
  const why = originalMessage ?? shortMessage
  if (exitCode === undefined && signal === undefined && !(mayBeAbsent && code === 'ENOENT'))
    throwIssue(gitIssues.GIT_NOT_STARTED, { why })
  const lastWords = Buffer.from(stderr ?? '')
    .toString()
    .trim()
    .split('\n')
    .at(-1)
  return { status: exitCode, stdout: Buffer.from(stdout ?? ''), why: lastWords || why }
}

/** If no file descriptors are left, execa throws internal errors. */
async function startGitProgram<Result>(start: () => Promise<Result>): Promise<Result> {
  try {
    return await startChildProcess(start)
  } catch {
    return throwIssue(gitIssues.GIT_NOT_STARTED, { why: noPipes })
  }
}

function buildArguments({ gitDir }: GitPlace, args: readonly string[]): string[] {
  return [`--git-dir=${gitDir}`, ...args]
}

/** A program with its arguments. */
export interface LimitedCommand {
  readonly program: string
  readonly words: string[]
  readonly env: Readonly<Record<string, string>>
}

/**
 * Builds a git command that receives objects from outside, where a pack of a few kilobytes may
 * expand to gigabytes. `objectMemory` limits the bytes of one object in memory (GIT_ALLOC_LIMIT),
 * `memory` those of a process.
 */
export function createLimitedCommand(args: readonly string[]): LimitedCommand {
  const { memory, objectMemory } = budgets.git
  const settings = [
    // Files above this size are streamed to disk, unless they are deltas.
    `core.bigFileThreshold=${objectMemory.bound / 8}`,
    // Threads multiply the memory of index-pack.
    'pack.threads=2',
  ]
  const git = [...settings.flatMap((setting) => ['-c', setting]), ...args]
  const [program, words] = limitMemory(memory.bound, 'git', git)
  return { program, words, env: { GIT_ALLOC_LIMIT: String(objectMemory.bound) } }
}

const quarantined = ['GIT_QUARANTINE_PATH', 'GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES']

/**
 * Returns git's environment variables: without the caller's GIT_ variables, so that git uses only
 * the repository's own settings, never prompts and never fetches.
 */
export function buildGitEnvironment({ gitDir, quarantine }: GitPlace): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('GIT_') || (quarantine === true && quarantined.includes(name)),
  )
  return {
    ...Object.fromEntries(inherited),
    ...(typeof quarantine === 'string' && getQuarantineVariables(gitDir, quarantine)),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: gitDir,
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
  }
}

/** Returns the variables with which git passes a quarantine to its hooks. */
function getQuarantineVariables(gitDir: string, path: string): NodeJS.ProcessEnv {
  const objects = join(gitDir, 'objects')
  return {
    GIT_QUARANTINE_PATH: path,
    GIT_OBJECT_DIRECTORY: path,
    // Quoted, since a colon separates paths in this variable.
    GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${objects.replace(/[\\"]/g, '\\$&')}"`,
  }
}
