import { type SpawnOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Content } from '../../../base/bytes/content.ts'
import { defineIssues, isIssue, throwIssue } from '../../../base/issue.ts'
import { noPipes, startChildProcess } from '../../../base/program/child-process.ts'
import type { OpenFile } from '../../../code/environments/environments.ts'
import type { Settings } from '../../../machine/settings/settings.ts'

/**
 * Code versioned by other programs, as in Puppet Server's `versioned-code` settings. protocol.md 7.
 */
export interface VersionedCode {
  /**
   * Version (`code_id`) of an environment's current content; `undefined` if the program prints
   * none.
   */
  codeId(environment: string): Promise<string | undefined>
  /** Opens a file at the version `codeId`. */
  content(environment: string, codeId: string, path: string): Promise<OpenFile>
}

const issues = defineIssues({
  VERSIONED_CODE_HALF: {
    text: (_: object) =>
      'Only one of "versioned-code.code-id-command" and "versioned-code.code-content-command" was set. Both or neither must be set for the versioned-code-service to function correctly.',
    hint: () => 'Set code_id_command and code_content_command, the corresponding settings.',
  },
  VERSIONED_CODE_FAILED: {
    text: (a: { command: string; status: number | undefined; stdout: string; stderr: string }) =>
      `Non-zero exit code returned while running '${a.command}'. exit-code: '${a.status ?? ''}', stdout: '${a.stdout}', stderr: '${a.stderr}'`,
  },
  INVALID_CODE_ID: {
    text: (a: { codeId: string }) =>
      `Invalid code-id '${a.codeId}'. Must contain only alpha-numerics and '-', '_', ';', or ':'`,
  },
})

/** True for the error of a failed `versioned-code` program. Puppet Server sends such an error as plain text. */
export function isVersionedCodeError(error: unknown): boolean {
  return isIssue(error, issues.VERSIONED_CODE_FAILED, issues.INVALID_CODE_ID)
}

const codeIdPattern = /^[_\-:;a-zA-Z0-9]+$/
/**
 * Maximum output of the code-id command, and of a failed command's output in the error, in bytes.
 */
const maxText = 1024 * 1024
/** Size from which content is streamed from a temporary file, in bytes. */
const maxInMemory = 1024 * 1024
const timeoutMs = 120_000

/**
 * The configured programs; `undefined` if none is set. Throws VERSIONED_CODE_HALF if only one is
 * set.
 */
export function createVersionedCode({
  code_id_command: idCommand,
  code_content_command: contentCommand,
}: Pick<Settings, 'code_id_command' | 'code_content_command'>): VersionedCode | undefined {
  if (idCommand === '' && contentCommand === '') return undefined
  if (idCommand === '' || contentCommand === '') throwIssue(issues.VERSIONED_CODE_HALF, {})
  return {
    async codeId(environment) {
      const codeId = (await readOutput(idCommand, [environment])).toString('utf8').replace(/\r?\n$/, '')
      // Without a code_id a catalog is not static (Puppet Server: versioned_code_core.clj).
      if (codeId === '') return undefined
      return codeIdPattern.test(codeId) ? codeId : throwIssue(issues.INVALID_CODE_ID, { codeId })
    },
    async content(environment, codeId, path) {
      return readContent(contentCommand, [environment, codeId, path])
    },
  }
}

async function readOutput(command: string, args: readonly string[]): Promise<Buffer> {
  const result = await runCommand(command, args)
  if (result.exitCode === 0) return result.stdout
  return failCommand(command, args, { status: result.exitCode, stdout: result.stdout, stderr: result.stderr })
}

/** Runs the command with an unnamed temporary file as its output, which keeps large output out of memory. */
async function readContent(command: string, args: readonly string[]): Promise<{ size: number; content: Content }> {
  const file = await openUnnamedFile()
  let isStreamed = false
  try {
    const { exitCode, stderr } = await runCommand(command, args, file)
    const { size } = await file.stat()
    if (exitCode !== 0)
      return failCommand(command, args, { status: exitCode, stdout: await readStart(file, maxText), stderr })
    if (size <= maxInMemory) return { size, content: await readStart(file, size) }
    isStreamed = true
    return { size, content: file.createReadStream({ start: 0 }) }
  } finally {
    if (!isStreamed) await file.close()
  }
}

/** Opens a temporary file without a name; closing it frees the space. */
async function openUnnamedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `.plumb-content-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

async function readStart(file: FileHandle, most: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0)
  return buffer.subarray(0, bytesRead)
}

interface CommandResult {
  readonly exitCode: number | null
  readonly stdout: Buffer
  readonly stderr: Buffer
}

/** Runs the command to its end. Its output is written to the file `output`, or returned if there is no such file. */
async function runCommand(command: string, args: readonly string[], output?: FileHandle): Promise<CommandResult> {
  const options: SpawnOptions = { stdio: ['ignore', output?.fd ?? 'pipe', 'pipe'], timeout: timeoutMs }
  const child = await startChildProcess(async () => spawn(command, args, options)).catch(() => undefined)
  if (!child?.stderr) return failCommand(command, args, { status: undefined, stdout: '', stderr: noPipes })
  const stdout = child.stdout ? readLeadingBytes(child.stdout, maxText, () => child.kill()) : Buffer.alloc(0)
  const stderr = readLeadingBytes(child.stderr, maxText, () => child.kill())
  const ended = new Promise<number | null>((done) => {
    child.once('close', done)
    child.once('error', () => done(null))
  })
  return { exitCode: await ended, stdout: await stdout, stderr: await stderr }
}

/** Reads a stream and returns its bytes up to a limit; calls `beyond` if there are more bytes. */
async function readLeadingBytes(stream: Readable, most: number, beyond: () => void): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of stream as AsyncIterable<Buffer>) {
    size += part.length
    if (size > most) {
      beyond()
      break
    }
    parts.push(part)
  }
  return Buffer.concat(parts)
}

interface Failure {
  readonly status: number | null | undefined
  readonly stdout: Uint8Array | string | undefined
  readonly stderr: Uint8Array | string | undefined
}

function failCommand(command: string, args: readonly string[], { status, stdout, stderr }: Failure): never {
  const toText = (output: Uint8Array | string | undefined) => Buffer.from(output ?? []).toString('utf8')
  return throwIssue(issues.VERSIONED_CODE_FAILED, {
    command: [command, ...args].join(' '),
    status: status ?? undefined,
    stdout: toText(stdout),
    stderr: toText(stderr),
  })
}
