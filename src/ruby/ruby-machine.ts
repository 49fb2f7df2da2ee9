import { posix } from 'node:path'
import { budgets } from '../base/budgets/budgets.ts'
import { toBufferView } from '../base/bytes/buffer-view.ts'
import { createDiagnostic, createPuppetError, defineIssues, PuppetError } from '../base/issue.ts'
import type { Json } from '../base/json/json-checks.ts'
import type { RubyImage } from './ruby-image.ts'
import { libraryPath } from './vm/distribution.ts'
import { type Interpreter, type Pointer, RubyCrash, RubyFailure } from './vm/interpreter.ts'
import { restoreSnapshot } from './vm/snapshot.ts'
import { createOverlayDisk, createReadOnlyDisk, type Disk } from './wasi/disk.ts'
import { type GuestFiles, mountFiles } from './wasi/guest-files.ts'
import { RubyExit, type World } from './wasi/wasi.ts'

/**
 * Returns the host's reply to a query from running Ruby code. An error becomes an exception in
 * Ruby, and is rethrown here unless rescued.
 */
export type RubyAnswer = (question: string, args: readonly Json[]) => Json

/** A read by Ruby of an input other than its arguments: a path, a folder, the clock, or a random number. */
export interface InputRead {
  readonly kind: 'path' | 'folder' | 'clock' | 'chance'
  /** Absolute path; empty for the clock and random numbers. */
  readonly path: string
  /** True if Ruby read the bytes of a file or the names in a folder. */
  readonly isRead: boolean
}

/** Called for each input that Ruby reads, before Ruby gets the result. */
export type InputReadListener = (sight: InputRead) => void

/** A Ruby exception that was not rescued. */
export class RubyError extends PuppetError {
  /** Name of the exception's class. */
  readonly kind: string
  /** File and line of the module code that raised the exception. */
  readonly place: readonly [file: string | null, line: number]

  constructor(kind: string, message: string, file: string | null, line: number) {
    super(createDiagnostic(issues.RUBY_ERROR, { kind, message, file, line }))
    this.kind = kind
    this.place = [file, line]
  }
}

/** Access to a node, where a module's Ruby is trusted: all files, and running clocks. */
export interface NodeWorld extends Required<Pick<World, 'now' | 'elapsed' | 'sleep'>> {
  readonly disk: Disk
}

const issues = defineIssues({
  RUBY_ERROR: {
    text: (a: { kind: string; message: string; file: string | null; line: number }) => a.message,
    hint({ kind, file, line }) {
      if (file === null) return undefined
      const place = `Ruby raised ${kind} in ${file}, line ${line}.`
      return kind === 'Errno::ENOENT'
        ? `${place} Ruby code can read the files of the environment and of the directories in external_folders.`
        : place
    },
  },
  RUBY_CRASHED: {
    text: (a: { reason: string }) => `Ruby code of a module ended its interpreter: ${a.reason}`,
    hint: () => 'Look for exit!, endless recursion or high memory usage in the called Ruby code.',
  },
})

/**
 * Bytes of memory that Ruby allocates in advance. V8 counts each growth of the memory as a new allocation and may start
 * a garbage collection.
 */
const spareMemory = 128 * 1024 * 1024

/**
 * The message with which Ruby returns control to the host: a result, a query, the number of a host error, or an
 * exception.
 */
type Message =
  | readonly ['ok', Json, notes?: Json]
  | readonly ['ask', number, string, ...Json[]]
  | readonly ['host', number]
  | readonly ['error', string, string, string | null, number]

const kinds: ReadonlySet<unknown> = new Set(['ok', 'ask', 'host', 'error'] satisfies Message[0][])

/**
 * A virtual machine with CRuby and our prelude, restored from a snapshot in 20 ms. `call` runs an
 * operation of the prelude (prelude/90_bridge.rb) and may be nested to any depth, since Ruby's
 * stack is unwound before each query. A crash affects only this machine, which is then unusable.
 */
export class RubyMachine {
  readonly #interpreter: Interpreter
  readonly #bridge: Pointer
  readonly #start: number
  readonly #resume: number
  readonly #alone: number
  /** Errors of our own code that are passing through Ruby as exceptions. */
  readonly #errors = new Map<number, unknown>()
  readonly #encoder = new TextEncoder()
  /** Called for each input that Ruby reads; set by the session that currently uses the machine. */
  onLook: InputReadListener = () => {}
  #outgoing = new Uint8Array(1 << 16)
  #answer: RubyAnswer = replyNull
  #seconds: number
  #outbox = ''
  #atOnce = false
  #lastError = 0
  #crash: unknown

  /**
   * Ruby sees only these files, by absolute path without leading `/`, and a clock that always returns `seconds`
   * since 1970. On a node, Ruby sees the machine's files and a running clock.
   */
  constructor(
    { module, library, snapshot }: RubyImage,
    files: Readonly<Record<string, GuestFiles>> | NodeWorld,
    seconds = 0,
  ) {
    this.#seconds = seconds
    const { disk, ...clocks } = isNodeWorld(files)
      ? { ...files, disk: createOverlayDisk(files.disk, { [libraryPath]: createReadOnlyDisk(library) }) }
      : {
          ...this.#watchedClock(),
          disk: createReadOnlyDisk(mountFiles({ ...this.#watched(files), [libraryPath]: library })),
        }
    const world: World = {
      ...clocks,
      disk,
      print: (text: string, isError: boolean) => this.#print(text, isError),
      random: (bytes: Uint8Array) => {
        this.onLook({ kind: 'chance', path: '', isRead: true })
        crypto.getRandomValues(bytes)
      },
    }
    this.#interpreter = restoreSnapshot(module, snapshot, world, (message) => this.#receive(message))
    this.#interpreter.run(`String.new(capacity: ${spareMemory}).clear`)
    this.#bridge = this.#interpreter.eval('Plumb::Bridge')
    this.#start = this.#interpreter.symbol('start')
    this.#resume = this.#interpreter.symbol('resume')
    this.#alone = this.#interpreter.symbol('alone')
  }

  /** True after a crash; the machine must be replaced. */
  get isDead(): boolean {
    return this.#crash !== undefined
  }

  /** Sets Ruby's clock, in seconds since 1970. */
  setClock(seconds: number): void {
    this.#seconds = seconds
  }

  /** Size of the machine's memory in bytes; it never shrinks. */
  get memorySize(): number {
    return this.#interpreter.memory.buffer.byteLength
  }

  /** Marks the machine as dead for an external reason. */
  abandon(reason: Error): void {
    this.#crash ??= reason
  }

  /** Runs an operation. Throws RubyError, RUBY_CRASHED, or errors of `answer`. */
  call(operation: string, args: readonly Json[], answer: RubyAnswer): Json {
    if (this.#atOnce) throw new Error(`Ruby cannot run ${operation} while a Ruby iterator waits for its result`)
    const outer = this.#answer
    this.#answer = answer
    try {
      let message = this.#turn(this.#start, [operation, ...args])
      while (message[0] === 'ask') {
        const [, id, question, ...rest] = message
        message = this.#turn(this.#resume, [id, ...this.#reply(question, rest)])
      }
      return this.#outcome(message)
    } finally {
      this.#answer = outer
      // Errors that Ruby rescued are not needed any more.
      if (outer === replyNull) this.#errors.clear()
    }
  }

  /**
   * Runs an operation that sends no queries; many times faster, since it needs no fiber. Throws the errors of `call`.
   */
  callAlone(operation: string, args: readonly Json[]): Json {
    return this.#outcome(
      this.#turn(this.#alone, [operation, ...args]) as Exclude<Message, readonly ['ask', ...unknown[]]>,
    )
  }

  #watchedClock(): Pick<World, 'now'> {
    return {
      now: () => {
        this.onLook({ kind: 'clock', path: '', isRead: true })
        return BigInt(Math.trunc(this.#seconds)) * 1_000_000_000n
      },
    }
  }

  #watched(files: Readonly<Record<string, GuestFiles>>): Record<string, GuestFiles> {
    return Object.fromEntries(Object.entries(files).map(([place, tree]) => [place, this.#watchedTree(place, tree)]))
  }

  #watchedTree(place: string, tree: GuestFiles): GuestFiles {
    const reportRead = (kind: InputRead['kind'], path: string, isRead: boolean) =>
      this.onLook({ kind, path: posix.join('/', place, path), isRead })
    return {
      entry(path) {
        reportRead('path', path, false)
        return tree.entry(path)
      },
      read(path) {
        reportRead('path', path, true)
        return tree.read(path)
      },
      list(path) {
        reportRead('folder', path, true)
        return tree.list(path)
      },
    }
  }

  /** Passes printed text to the host as the query `print`, and ignores errors. */
  #print(text: string, isError: boolean): void {
    this.#reply('print', [text, isError])
    this.#errors.delete(this.#lastError)
  }

  #outcome(message: Exclude<Message, readonly ['ask', ...unknown[]]>): Json {
    if (message[0] === 'ok') {
      if (message[2] !== undefined) this.#answer('noted', [message[2]])
      return message[1]
    }
    if (message[0] === 'error') throw new RubyError(...(message.slice(1) as [string, string, string | null, number]))
    const error = this.#errors.get(message[1])
    this.#errors.delete(message[1])
    throw error
  }

  /** Sends a message to Ruby, and runs Ruby until it sends a message back. */
  #turn(method: number, message: readonly Json[]): Message {
    if (this.#crash !== undefined) throw this.#crash
    try {
      this.#send(message)
      this.#outbox = ''
      this.#interpreter.drop(this.#interpreter.call(this.#bridge, method))
      return parseMessage(this.#outbox)
    } catch (error) {
      this.#crash = createPuppetError(issues.RUBY_CRASHED, { reason: formatFailureReason(error) })
      throw this.#crash
    }
  }

  /**
   * Sends a message through a shared buffer: a new buffer for each message would trigger garbage
   * collection.
   */
  #send(message: readonly Json[]): void {
    const text = JSON.stringify(message)
    if (this.#outgoing.length < text.length * 3) this.#outgoing = new Uint8Array(text.length * 4)
    const { written } = this.#encoder.encodeInto(text, this.#outgoing)
    this.#interpreter.wasi.send(this.#outgoing.subarray(0, written))
  }

  #reply(question: string, args: readonly Json[]): Json[] {
    try {
      return ['ok', this.#answer(question, args)]
    } catch (error) {
      if (error === this.#crash) throw error
      const id = ++this.#lastError
      this.#errors.set(id, error)
      if (!(error instanceof Error)) return ['signal', id]
      return ['error', id, error.message, ...(error instanceof RubyError ? error.place : [])]
    }
  }

  /** Handles a message from running Ruby: a message that returns control, or a query from a fiber of module code. */
  #receive(bytes: Uint8Array): void {
    checkMessageSize(bytes)
    const text = toBufferView(bytes).toString()
    if (!text.startsWith('["at_once"')) {
      this.#outbox = text
      return
    }
    const [, question, ...args] = JSON.parse(text) as [string, string, ...Json[]]
    this.#atOnce = true
    try {
      this.#send(this.#reply(question, args))
    } finally {
      this.#atOnce = false
    }
  }
}

/** Throws for a message that is too large or has too many parts. */
function checkMessageSize(bytes: Uint8Array): void {
  const { rubyMessage, rubyMessageItems } = budgets.environment
  const { bound } = rubyMessageItems
  if (bytes.length > rubyMessage.bound) throw new RubyCrash(`it sent a message of more than ${rubyMessage.bound} bytes`)
  if (bytes.length > bound && countJsonCommas(bytes) > bound)
    throw new RubyCrash(`it sent a message of more than ${bound} values`)
}

function countJsonCommas(json: Uint8Array): number {
  let commas = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === quote) isText = !isText
    else if (byte === backslash && isText) at++
    else if (byte === comma && !isText) commas++
  }
  return commas
}

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c

/** Parses a message from Ruby. Throws if module code wrote to the bridge, or interfered with the prelude. */
function parseMessage(text: string): Message {
  const message = JSON.parse(text) as Message
  if (!Array.isArray(message) || !kinds.has(message[0])) throw new RubyCrash('it sent an invalid message')
  return message
}

function isNodeWorld(files: object): files is NodeWorld {
  return 'disk' in files
}

/** Replies to queries that arrive while no call is running. */
function replyNull(): Json {
  return null
}

function formatFailureReason(error: unknown): string {
  if (error instanceof RubyExit || error instanceof RubyCrash) return error.message
  if (error instanceof RangeError) return 'stack level too deep'
  if (error instanceof SyntaxError) return 'it sent an invalid message'
  const text = error instanceof Error ? error.message : String(error)
  if (error instanceof RubyFailure) return text.split('\n')[0]!
  return text === 'unreachable' ? 'blocks nested too deep' : text
}
