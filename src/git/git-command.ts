import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fail } from '../base/issue.ts'
import { withoutTrailing } from '../base/trailing.ts'
import { gitIssues } from './issues.ts'

/** Where to run git. */
export interface GitPlace {
  readonly gitDir: string
  /** Inside a pre-receive hook: see the objects of the push that is still in quarantine (git-receive-pack(1)). */
  readonly quarantine: boolean
}

/**
 * Starts git on a repository, cut off from the settings of whoever runs us. Plain `spawn`, not execa: who asks wants the
 * bare pipes, for questions and answers over minutes or for one large stream, and watches the end on its own.
 */
export function spawnGit(place: GitPlace, args: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn('git', wordsFor(place, args), { env: environmentOf(place), cwd: '/' })
}

/** Runs git to its end and answers what it printed. Throws GIT_FAILED with its last words. */
export async function git(place: GitPlace, args: readonly string[], input = ''): Promise<Buffer> {
  const { status, stdout, why } = await run(wordsFor(place, args), { env: environmentOf(place), cwd: '/', input })
  return status === 0 ? stdout : fail(gitIssues.GIT_FAILED, { command: args[0] ?? '', why })
}

/** The git directory of a repository, bare or with a working tree; `undefined` when the folder is none. */
export async function findGitDir(directory: string): Promise<string | undefined> {
  const env = { ...environmentOf({ gitDir: '*', quarantine: false }), GIT_CEILING_DIRECTORIES: parent(directory) }
  const { status, stdout } = await run(['rev-parse', '--absolute-git-dir'], { env, cwd: directory })
  return status === 0 ? stdout.toString().trimEnd() : undefined
}

/** Whether there is a git program that knows all that we ask of it: 2.31 brought GIT_CONFIG_COUNT. */
export async function hasGit(): Promise<boolean> {
  const { stdout } = await run(['--version'], { env: process.env, cwd: '/' })
  const [, major, minor] = /(\d{1,9})\.(\d{1,9})/.exec(stdout.toString()) ?? []
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 31)
}

interface Ended {
  /** `undefined` when it was not started, or was killed. */
  readonly status: number | undefined
  readonly stdout: Buffer
  readonly why: string
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly input?: string
}

async function run(words: readonly string[], { env, cwd, input = '' }: Surroundings): Promise<Ended> {
  const { execa } = await import('execa') // folders of environments go without git, and without its 0.1 s
  const {
    exitCode,
    stdout,
    stderr,
    originalMessage,
    shortMessage = '',
  } = await execa('git', words, {
    env,
    extendEnv: false,
    cwd,
    input,
    encoding: 'buffer',
    maxBuffer: Number.POSITIVE_INFINITY,
    stripFinalNewline: false,
    reject: false,
  })
  const lastWords = Buffer.from(stderr).toString().trim().split('\n').at(-1)
  return { status: exitCode, stdout: Buffer.from(stdout), why: lastWords || (originalMessage ?? shortMessage) }
}

function wordsFor({ gitDir }: GitPlace, args: readonly string[]): string[] {
  return [`--git-dir=${gitDir}`, ...args]
}

const quarantined = ['GIT_QUARANTINE_PATH', 'GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES']

/** None of the caller's GIT_ variables, no settings but the repository's own, nothing that could ask or fetch. */
function environmentOf({ gitDir, quarantine }: GitPlace): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('GIT_') || (quarantine && quarantined.includes(name)),
  )
  return {
    ...Object.fromEntries(inherited),
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

function parent(directory: string): string {
  const bare = withoutTrailing(directory, '/')
  return withoutTrailing(bare.slice(0, bare.lastIndexOf('/') + 1), '/') || '/'
}
