import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { createPuppetError, isIssue } from '../../base/issue.ts'
import { type GitPlace, spawnGit, writeGitOutput } from './git-command.ts'
import { gitIssues } from './issues.ts'
import { findUnreadableObjectFile } from './unreadable-paths.ts'

/** A reply of `git cat-file`; it has the object's content only with `--batch`. */
export interface CatFileAnswer {
  readonly oid: string
  readonly type: string
  readonly size: number
  readonly content: Buffer
}

interface Question {
  readonly name: string
  readonly answer: (answer: CatFileAnswer | undefined) => void
  readonly fail: (error: unknown) => void
  /** True for a repeated request, after the child process died during the first attempt. */
  again: boolean
}

/**
 * Arguments of the command. With this threshold, git reads a blob larger than 1 MiB in parts,
 * unless it is stored as a delta.
 */
export const catFile = ['-c', 'core.bigFileThreshold=1m', 'cat-file'] as const

/**
 * Makes git write a blob to a file descriptor, so that its bytes never enter this process. Throws
 * GIT_NOT_SPOOLED.
 */
export async function writeBlob(place: GitPlace, oid: string, descriptor: number): Promise<void> {
  try {
    await writeGitOutput(place, [...catFile, 'blob', oid], descriptor)
  } catch (error) {
    if (!isIssue(error, gitIssues.GIT_FAILED)) throw error
    // Git prints the same error for a full disk and for an unreadable object.
    throw (
      (await findUnreadableObjectFile(place.gitDir, oid)) ??
      createPuppetError(gitIssues.GIT_NOT_SPOOLED, { oid, why: error.message })
    )
  }
}

/** Milliseconds after which a child process is replaced, because it keeps deleted packs mapped in memory. */
const lifetimeMs = 10 * 60 * 1000
/** Minimum lifetime of a child process in milliseconds, even if it reports missing objects. */
const minLifetimeMs = 1000

/**
 * A long-lived `git cat-file` process: requests are written to a pipe, and replies arrive in the
 * same order. The child process is started with the first request. If it dies or becomes too old, a
 * new child process takes over its open requests.
 */
export class CatFile {
  readonly #place: GitPlace
  readonly #mode: '--batch' | '--batch-check'
  #child: Child | undefined
  #closed = false

  constructor(place: GitPlace, mode: '--batch' | '--batch-check') {
    this.#place = place
    this.#mode = mode
  }

  /** Requests an object by a validated name; `undefined` if it is missing. */
  ask(name: string): Promise<CatFileAnswer | undefined> {
    return new Promise((answer, fail) => this.#put({ name, answer, fail, again: false }))
  }

  /**
   * Switches to a new child process, which sees the current packs. At most one child process is
   * started each second; requests for missing objects wait for it together.
   */
  async renew(): Promise<void> {
    const child = this.#child
    if (!child) return
    const left = child.born + minLifetimeMs - Date.now()
    if (left > 0) await setTimeout(left)
    if (this.#child === child) this.#end()
  }

  close(): void {
    this.#closed = true
    this.#end()
  }

  #end(): void {
    this.#child?.end()
    this.#child = undefined
  }

  #put(question: Question): void {
    if (this.#closed) {
      question.fail(new Error('the repository is closed'))
      return
    }
    if (this.#child && Date.now() - this.#child.born > lifetimeMs) this.#end()
    try {
      this.#child ??= this.#start()
      this.#child.put(question)
    } catch (error) {
      question.fail(error)
    }
  }

  #start(): Child {
    const process = spawnGit(this.#place, [...catFile, this.#mode])
    return new Child(process, this.#mode === '--batch', (child, left) => this.#died(child, left))
  }

  /**
   * Repeats the open requests of a dead child process in a new one. Each request is repeated only
   * once, since the request itself may be the cause of death.
   */
  #died(child: Child, { questions, why, notStarted }: Left): void {
    if (this.#child === child) this.#child = undefined
    // Git exits when it finds an unreadable loose object. Since it replies in order, the first open
    // request is for that object.
    const [, oid] = /^fatal: loose object ([0-9a-f]+) .*is corrupt/.exec(why) ?? []
    const culprit = oid === undefined ? undefined : questions[0]
    if (oid !== undefined) void this.#whyUnreadable(oid, why).then((error) => culprit?.fail(error))
    for (const question of questions) {
      if (question === culprit) continue
      if (notStarted) {
        question.fail(createPuppetError(gitIssues.GIT_NOT_STARTED, { why }))
      } else if (culprit) {
        this.#put(question)
      } else if (question.again) {
        question.fail(createPuppetError(gitIssues.GIT_FAILED, { command: `cat-file ${this.#mode}`, why }))
      } else {
        question.again = true
        this.#put(question)
      }
    }
  }

  async #whyUnreadable(oid: string, why: string): Promise<Error> {
    return (
      (await findUnreadableObjectFile(this.#place.gitDir, oid)) ??
      createPuppetError(gitIssues.GIT_OBJECT_CORRUPT, { oid, why })
    )
  }
}

interface Left {
  readonly questions: readonly Question[]
  readonly why: string
  readonly notStarted: boolean
}

interface Header {
  readonly oid: string
  readonly type: string
  readonly size: number
}

/** One process and its open requests. */
class Child {
  readonly born = Date.now()
  readonly #process: ChildProcessWithoutNullStreams
  readonly #withContent: boolean
  readonly #open: Question[] = []
  /** Request lines that were not sent to git yet. */
  #asked = ''
  #header: Header | undefined
  #chunks: Buffer[] = []
  #bytes = 0
  #stderr = ''

  constructor(process: ChildProcessWithoutNullStreams, withContent: boolean, died: (child: Child, left: Left) => void) {
    this.#process = process
    this.#withContent = withContent
    process.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    process.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk).slice(-2000)
    })
    process.stdin.on('error', () => {}) // Errors of this pipe are ignored, since the exit event reports their cause.
    process.once('error', ({ message }) =>
      died(this, { questions: this.#open.splice(0), why: message, notStarted: process.pid === undefined }),
    )
    process.once('close', (code) => {
      const why = this.#stderr.trim().split('\n').at(-1) || `git exited with status ${code}`
      died(this, { questions: this.#open.splice(0), why, notStarted: false })
    })
  }

  put(question: Question): void {
    this.#open.push(question)
    if (this.#asked === '') process.nextTick(() => this.#send())
    this.#asked += `${question.name}\n`
  }

  /**
   * Sends all new requests in one write: each write is a system call, and loading a commit takes
   * thousands of requests.
   */
  #send(): void {
    if (this.#asked !== '') this.#process.stdin.write(this.#asked)
    this.#asked = ''
  }

  /** Accepts no new requests; open ones still get replies. */
  end(): void {
    this.#send()
    this.#process.stdin.end()
  }

  #read(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    while (this.#open.length > 0 && (this.#header ? this.#readContent() : this.#readHeader()));
  }

  /** Parses a header: `<oid> <type> <size>`, `<name> missing` or `<name> ambiguous`. */
  #readHeader(): boolean {
    const buffer = this.#joined()
    const end = buffer.indexOf(0x0a)
    if (end === -1) return false
    const line = buffer.toString('utf8', 0, end)
    this.#rest(buffer.subarray(end + 1))
    const [, oid, type, size] = /^([0-9a-f]+) (blob|tree|commit|tag) (\d+)$/.exec(line) ?? []
    if (oid === undefined || type === undefined) this.#open.shift()?.answer(undefined)
    else if (this.#withContent) this.#header = { oid, type, size: Number(size) }
    else this.#open.shift()?.answer({ oid, type, size: Number(size), content: Buffer.alloc(0) })
    return true
  }

  #readContent(): boolean {
    const header = this.#header
    if (!header || this.#bytes < header.size + 1) return false
    const buffer = this.#joined()
    this.#header = undefined
    this.#rest(buffer.subarray(header.size + 1))
    this.#open.shift()?.answer({ ...header, content: buffer.subarray(0, header.size) })
    return true
  }

  #joined(): Buffer {
    const [first] = this.#chunks
    const buffer = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks)
    this.#chunks = [buffer]
    return buffer
  }

  #rest(buffer: Buffer): void {
    this.#chunks = buffer.length === 0 ? [] : [buffer]
    this.#bytes = buffer.length
  }
}
