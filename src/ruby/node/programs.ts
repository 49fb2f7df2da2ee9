import { spawn, spawnSync } from 'node:child_process'
import { closeSync, fstatSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { budgets } from '../../base/budgets/budgets.ts'
import type { Json } from '../../base/json/json-checks.ts'
import {
  buildBatchLine,
  buildBatchLineOf,
  type CommandLine,
  isBatchFile,
  listProgramNames,
  listProgramPlaces,
  listProgramSplits,
  programExtension,
  usualExtensions,
} from '../../base/program/windows-command.ts'

/** A program that Ruby wants to run. */
export interface ProgramOrder {
  readonly command: readonly string[]
  /**
   * Destination of standard output. `pipe`: collect output until all processes have closed the pipe; `file`: collect
   * output until the program ends; `inherit`; `null`.
   */
  readonly out: string
  /** Destination of standard error: the same values, or `out` to merge it with standard output. */
  readonly err: string
  /** Standard input in base64. */
  readonly input: string | null
  /** Environment variables; `null` removes a variable. */
  readonly env: Readonly<Record<string, string | null>>
  readonly cwd: string
  /** Time limit in seconds. */
  readonly seconds: number | null
  readonly umask: number
  /** On Windows, if the only word of the command is a command line: what reads it. */
  readonly line?: CommandLineReader | null
  readonly uid?: number | null
  readonly gid?: number | null
}

/** A reader of a command line on Windows: cmd.exe, or the program, which receives the line unchanged. */
type CommandLineReader = 'shell' | 'program'

const isWindows = process.platform === 'win32'

const mostOutput = budgets.machine.programOutput.bound

const firstSignalStatus = 128

/** Runs a program to its end. Output is in base64. Throws the system error if it cannot be started. */
export function runHostProgram(order: ProgramOrder): Json {
  const file = order.out === 'file' && !isWindows ? openScratchFile() : undefined
  const isMerged = isWindows && order.err === 'out' && order.out !== 'inherit' && order.out !== 'null'
  try {
    const out = file ?? toStdioOption(order.out, 1)
    const { program, words, ...start } = planStart(order)
    const { pid, status, signal, stdout, stderr, error } = spawnSync(program, words, {
      ...start,
      cwd: order.cwd,
      input: Buffer.from(order.input ?? '', 'base64'),
      stdio: [
        'pipe',
        out,
        order.err === 'out' && file !== undefined ? file : toStdioOption(isMerged ? 'pipe' : order.err, 2),
      ],
      maxBuffer: mostOutput,
      ...(order.seconds === null ? {} : { timeout: Math.max(1, Math.ceil(order.seconds * 1000)) }),
      killSignal: 'SIGKILL',
      windowsHide: true,
      ...(typeof order.uid === 'number' ? { uid: order.uid } : {}),
      ...(typeof order.gid === 'number' ? { gid: order.gid } : {}),
    })
    const timedOut = (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT'
    if (error && !timedOut && status === null && signal === null) throw error
    return {
      pid,
      status: status ?? firstSignalStatus + (signal === null ? 0 : constants.signals[signal]),
      signal: signal === null ? null : constants.signals[signal],
      out: toOutput(file === undefined ? stdout : readOutput(file), isMerged ? stderr : null),
      err: toOutput(isMerged ? null : stderr),
      timed_out: timedOut,
    }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Joins parts of the output in base64. Windows has no merged pipe: errors come after the other output. */
function toOutput(...parts: readonly (Buffer | null)[]): string {
  return Buffer.concat(parts.map((part) => part ?? Buffer.alloc(0))).toString('base64')
}

/** Starts a program in the background. */
export function startProgram(order: Pick<ProgramOrder, 'command' | 'cwd' | 'env' | 'line'>): Json {
  const { program, words, ...start } = planStart(order)
  const child = spawn(program, words, { ...start, cwd: order.cwd, stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
  return child.pid ?? null
}

/** The arguments and options of `spawn` that depend on the operating system. */
interface Start {
  readonly program: string
  readonly words: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** The whole command line of Windows. */
  readonly argv0?: string
  readonly windowsVerbatimArguments?: true
}

/** On Linux, wraps the command in a shell if output streams are merged or the umask differs; Windows has no umask. */
function planStart({ command, umask = ourMask, out, err, line, env: given }: Partial<ProgramOrder>): Start {
  const env = toEnvironment(given ?? {})
  if (isWindows) return planWindowsStart(command ?? [], line ?? undefined, env)
  const sets = umask === ourMask ? [] : [`umask ${umask.toString(8)}`]
  const merged = err === 'out' && out !== 'file' ? ' 2>&1' : ''
  const [program = '', ...words] = command ?? []
  if (sets.length === 0 && merged === '') return { program, words, env }
  const script = [...sets, `exec "$0" "$@"${merged}`].join('; ')
  return { program: '/bin/sh', words: ['-c', script, program, ...words], env }
}

function planWindowsStart(
  command: readonly string[],
  line: CommandLineReader | undefined,
  env: NodeJS.ProcessEnv,
): Start {
  const [first = '', ...words] = command
  const shell = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\cmd.exe`
  const verbatim = (program: string, argv0: string) =>
    ({ program, words: [], argv0, windowsVerbatimArguments: true, env }) as const
  if (line === 'shell') {
    const start = verbatim(shell, `cmd.exe /d /s /c "${first}"`)
    // Where a line changes the folder itself, it may name programs of that folder.
    if (/\b(?:cd|chdir|pushd)\b/i.test(first)) return start
    return { ...start, env: { ...env, NoDefaultCurrentDirectoryInExePath: '1' } }
  }
  const { file, rest } = findProgram(
    line === undefined ? [{ program: first, rest: '' }] : listProgramSplits(first),
    env,
  )
  if (isBatchFile(file)) {
    const batch = line === undefined ? buildBatchLine(file, words) : buildBatchLineOf(file, { program: file, rest })
    if (batch === undefined) throw createSystemError('EINVAL', file)
    return verbatim(shell, `cmd.exe ${batch}`)
  }
  // A program can take a slash in its own name for an option.
  const program = file.replaceAll('/', '\\')
  return line === undefined ? { program, words, env } : verbatim(program, first)
}

/** Finds the file of a program. Without a folder and a drive, it is looked up in the absolute folders of PATH only. */
function findProgram(splits: readonly CommandLine[], env: NodeJS.ProcessEnv): { file: string; rest: string } {
  const getVariable = (wanted: string) => Object.entries(env).find(([each]) => each.toUpperCase() === wanted)?.[1]
  const extensions = getVariable('PATHEXT') ?? usualExtensions
  const isProgram = (path: string) =>
    programExtension.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true
  for (const { program, rest } of splits) {
    const places = listProgramPlaces(program, getVariable('PATH') ?? '', extensions)
    const file = places.flatMap((place) => listProgramNames(place, extensions)).find(isProgram)
    if (file !== undefined) return { file, rest }
  }
  throw createSystemError('ENOENT', splits[0]?.program ?? '')
}

function createSystemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code, path })
}

/** The umask of this process; threads can only read it. */
export const ourMask = process.umask()

function toStdioOption(wish: string, own: number): 'pipe' | 'ignore' | number {
  return wish === 'inherit' ? own : wish === 'null' || wish === 'out' ? 'ignore' : 'pipe'
}

function toEnvironment(env: ProgramOrder['env']): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== null))
}

/** Opens an unlinked file for the output of a program that may leave child processes behind. */
function openScratchFile(): number {
  const path = join(tmpdir(), `plumb-${process.pid}-${crypto.randomUUID()}`)
  const file = openSync(path, 'wx+', 0o600)
  rmSync(path)
  return file
}

function readOutput(file: number): Buffer {
  const bytes = Buffer.alloc(Math.min(fstatSync(file).size, mostOutput))
  return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
}
