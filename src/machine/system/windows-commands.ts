import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { startChildProcess } from '../../base/program/child-process.ts'
import { buildBatchLine, buildBatchLineOf, isBatchFile, splitProgram } from '../../base/program/windows-command.ts'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { decodeLosslessUtf8 } from '../../base/text/byte-text.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import { isAbsolutePath, toBackslashes } from '../windows/machine-path.ts'
import { findWindowsProgram } from '../windows/program-search.ts'
import { getSystemProgram } from '../windows/system-programs.ts'
import type { CommandOptions, CommandResult, Commands } from './system.ts'

const issues = defineIssues({
  PROCESS_NOT_CREATED: {
    // Puppet: util/windows/monkey_patches/process.rb, with the message of Ruby's SystemCallError.
    text: (a: { why: string }) => `${a.why} - CreateProcess`,
  },
  WORD_NOT_FOR_BATCH: {
    text: (a: { file: string }) =>
      `Batch file ${a.file} cannot be run: its name or an argument has forbidden characters`,
    hint: () => 'Remove line breaks from the arguments, and quotes and percent signs from the name of the file.',
  },
})

/** Milliseconds to wait for output after a program has exited, as its child processes can keep the pipes open. */
const patience = 500

/** The programs of Windows. */
export const windowsCommands: Commands = {
  find: (name, path = process.env['PATH'] ?? '') => findWindowsProgram(name, path),
  run: runProgram,
}

async function runProgram(command: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const env = mergeVariables(process.env, options.env ?? {})
  const { file, line, words } = await planStart(command, options.commandLine, env)
  // A file keeps the order of both streams and does not wait for processes that the program leaves behind.
  const output = options.merged && options.maxOutput === undefined ? await openOutputFile() : undefined
  try {
    const stdin = options.input === undefined ? 'ignore' : 'pipe'
    const child = start(file, line === undefined ? words : [], {
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      ...(line !== undefined && { argv0: line, windowsVerbatimArguments: true }),
      env,
      stdio: output ? [stdin, output.fd, output.fd] : [stdin, 'pipe', 'pipe'],
      windowsHide: true,
    })
    return await finish(child, options, output)
  } finally {
    await output?.close()
  }
}

interface Plan {
  readonly file: string
  /** The command line of the process; undefined if it is built from the words. */
  readonly line: string | undefined
  readonly words: readonly string[]
}

/** The file and the command line of a process. A batch file becomes an argument of cmd.exe. */
async function planStart(
  [program = '', ...words]: readonly string[],
  line: string | undefined,
  env: Readonly<Record<string, string>>,
): Promise<Plan> {
  const path = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1]
  const file = isAbsolutePath(program, true) ? program : await findWindowsProgram(program, path ?? '')
  const found = file === undefined ? undefined : await stat(file).catch(() => undefined)
  if (file === undefined || !found) throwIssue(issues.PROCESS_NOT_CREATED, { why: reasons['ENOENT']! })
  if (!found.isFile()) throwIssue(issues.PROCESS_NOT_CREATED, { why: reasons['EACCES']! })
  // cmd.exe takes a slash in the name of a program, the first word of a command line, for an option.
  if (!isBatchFile(file)) return { file: toBackslashes(file), line, words }
  const batchLine = line === undefined ? buildBatchLine(file, words) : buildBatchLineOf(file, splitProgram(line))
  if (batchLine === undefined) throwIssue(issues.WORD_NOT_FOR_BATCH, { file })
  return { file: toBackslashes(getSystemProgram('cmd.exe')), line: `cmd.exe ${batchLine}`, words: [] }
}

/** The variables of a process. The case of letters in names does not count. */
function mergeVariables(
  base: NodeJS.ProcessEnv,
  changes: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const merged = new Map<string, readonly [name: string, value: string]>()
  for (const [name, value] of [...Object.entries(base), ...Object.entries(changes)]) {
    const key = name.toUpperCase()
    if (value === undefined) merged.delete(key)
    else merged.set(key, [merged.get(key)?.[0] ?? name, value])
  }
  return Object.fromEntries(merged.values())
}

function start(file: string, words: readonly string[], options: Parameters<typeof spawn>[2]): ChildProcess {
  try {
    return startChildProcess(() => spawn(file, words, options))
  } catch (error) {
    return failStart(error)
  }
}

function failStart(error: unknown): never {
  const why = reasons[getSystemErrorCode(error) ?? ''] ?? formatError(error)
  return throwIssue(issues.PROCESS_NOT_CREATED, { why })
}

interface OutputFile {
  readonly fd: number
  read(): Promise<Buffer>
  close(): Promise<void>
}

async function openOutputFile(): Promise<OutputFile> {
  const folder = await mkdtemp(join(tmpdir(), 'plumb-output-'))
  const path = join(folder, 'output')
  const file = await open(path, 'w+')
  return {
    fd: file.fd,
    read: () => readFile(path),
    async close() {
      await file.close()
      // A process that the program left behind can still have the file open.
      await rm(folder, { recursive: true, force: true }).catch(() => {})
    },
  }
}

async function finish(
  child: ChildProcess,
  { input, timeout = 0, maxOutput = Number.POSITIVE_INFINITY, encoding }: CommandOptions,
  file: OutputFile | undefined,
): Promise<CommandResult> {
  let timedOut = false
  let size = 0
  const chunks: { readonly from: 'stdout' | 'stderr'; readonly bytes: Buffer }[] = []
  for (const from of ['stdout', 'stderr'] as const)
    child[from]?.on('data', (bytes: Buffer) => {
      const isFirstBeyond = size <= maxOutput
      size += bytes.length
      if (size <= maxOutput) chunks.push({ from, bytes })
      else if (isFirstBeyond) killProcessTree(child)
    })
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const killOnTimeout = () => {
    timedOut = true
    killProcessTree(child)
  }
  const killer = timeout > 0 ? setTimeout(killOnTimeout, timeout * 1000) : undefined
  const { code, signal } = await waitForEnd(child).catch(failStart)
  clearTimeout(killer)
  const decode = (bytes: Buffer) => (encoding === undefined ? decodeLosslessUtf8(bytes) : bytes.toString(encoding))
  const join = (wanted: readonly string[]) =>
    decode(Buffer.concat(chunks.flatMap(({ from, bytes }) => (wanted.includes(from) ? [bytes] : []))))
  const stdout = file ? decode(await file.read()) : join(['stdout'])
  const output = file ? stdout : join(['stdout', 'stderr'])
  return {
    status: code ?? 1,
    timedOut,
    ...(signal !== null && { signaled: true as const }),
    ...(maxOutput !== Number.POSITIVE_INFINITY && { overflowed: size > maxOutput }),
    stdout,
    stderr: join(['stderr']),
    output,
  }
}

/** Waits until the process has ended and its output is complete, or no longer expected. */
function waitForEnd(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((done, failed) => {
    let patienceTimer: NodeJS.Timeout | undefined
    child.once('error', failed)
    child.once('exit', () => {
      patienceTimer = setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, patience)
    })
    child.once('close', (code, signal) => {
      clearTimeout(patienceTimer)
      done({ code, signal })
    })
  })
}

/** Kills a process and its child processes. */
function killProcessTree(child: ChildProcess): void {
  const killer = spawn(getSystemProgram('taskkill.exe'), ['/T', '/F', '/PID', String(child.pid)], {
    stdio: 'ignore',
    windowsHide: true,
  })
  // Without taskkill.exe, only the process itself ends.
  killer.once('error', () => child.kill('SIGKILL'))
  killer.once('exit', (status) => {
    if (status !== 0) child.kill('SIGKILL')
  })
}

const notProgram = '%1 is not a valid Win32 application.'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'No such file or directory',
  EACCES: 'Permission denied',
  EFTYPE: notProgram,
  UNKNOWN: notProgram,
}
