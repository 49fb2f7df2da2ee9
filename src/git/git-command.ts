import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { fail } from '../base/issue.ts'
import { gitIssues } from './issues.ts'

/** Where to run git. */
export interface GitPlace {
  readonly gitDir: string
  /** Inside a pre-receive hook: see the objects of the push that is still in quarantine (git-receive-pack(1)). */
  readonly quarantine: boolean
}

/** Starts git on a repository, cut off from the settings of whoever runs us. */
export function spawnGit(place: GitPlace, args: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn('git', [`--git-dir=${place.gitDir}`, ...args], { env: environmentOf(place), cwd: '/' })
}

/** Runs git to its end and answers what it printed. Throws GIT_FAILED with its last words. */
export async function git(place: GitPlace, args: readonly string[], input = ''): Promise<Buffer> {
  const { status, stdout, stderr } = await collect(spawnGit(place, args), input)
  if (status !== 0)
    fail(gitIssues.GIT_FAILED, { command: args[0] ?? '', why: stderr.trim().split('\n').at(-1) || `status ${status}` })
  return stdout
}

/** The git directory of a repository, bare or with a working tree; `undefined` when the folder is none. */
export async function findGitDir(directory: string): Promise<string | undefined> {
  const environment = {
    ...environmentOf({ gitDir: '*', quarantine: false }),
    GIT_CEILING_DIRECTORIES: parent(directory),
  }
  const child = spawn('git', ['rev-parse', '--absolute-git-dir'], { env: environment, cwd: directory })
  const { status, stdout } = await collect(child, '')
  return status === 0 ? stdout.toString().trimEnd() : undefined
}

/** Whether there is a git program that knows all that we ask of it: 2.31 brought GIT_CONFIG_COUNT. */
export async function hasGit(): Promise<boolean> {
  try {
    const { stdout } = await collect(spawn('git', ['--version'], { env: process.env, cwd: '/' }), '')
    const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout.toString()) ?? []
    return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 31)
  } catch {
    return false
  }
}

interface Ended {
  readonly status: number
  readonly stdout: Buffer
  readonly stderr: string
}

function collect(child: ChildProcessWithoutNullStreams, input: string): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const stdout: Buffer[] = []
    const stderr: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    child.once('error', reject)
    child.once('close', (code) =>
      resolve({ status: code ?? 1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }),
    )
    child.stdin.on('error', () => {}) // it ended before it read all; its status says why
    child.stdin.end(input)
  })
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
  return directory.replace(/\/+[^/]*\/*$/, '') || '/'
}
