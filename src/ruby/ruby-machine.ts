import { createDiagnostic, createPuppetError, defineIssues, PuppetError } from '../base/issue.ts'
import type { Json } from '../base/json/json-checks.ts'
import { RubyFailure } from './vm/interpreter.ts'
import {
  type BridgeMethod,
  type InputReadListener,
  RubyCrash,
  type RubyEngine,
  type StartRuby,
} from './vm/ruby-engine.ts'
import { RubyExit } from './wasi/wasi.ts'

/**
 * Returns the host's reply to a query from running Ruby code. An error becomes an exception in
 * Ruby, and is rethrown here unless rescued.
 */
export type RubyAnswer = (question: string, args: readonly Json[]) => Json

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
 * A running Ruby with our prelude. `call` runs an operation of the prelude (prelude/90_bridge.rb) and may be nested to
 * any depth, since Ruby's stack is unwound before each query. A crash affects only this machine, which is then unusable.
 */
export class RubyMachine {
  readonly #engine: RubyEngine
  /** Errors of our own code that are passing through Ruby as exceptions. */
  readonly #errors = new Map<number, unknown>()
  /** Called for each input that Ruby reads; set by the session that currently uses the machine. */
  onLook: InputReadListener = () => {}
  #answer: RubyAnswer = replyNull
  #seconds = 0
  #atOnce = false
  #lastError = 0
  #crash: unknown

  constructor(start: StartRuby) {
    const seconds = () => this.#seconds
    this.#engine = start({
      answer: (query) => this.#answerAtOnce(query),
      print: (text, isError) => this.#print(text, isError),
      look: (read) => this.onLook(read),
      get seconds() {
        return seconds()
      },
    })
  }

  /** True after a crash; the machine must be replaced. */
  get isDead(): boolean {
    return this.#crash !== undefined
  }

  /** Sets Ruby's clock, in seconds since 1970. */
  setClock(seconds: number): void {
    this.#seconds = seconds
  }

  /** Size of the machine's memory in bytes, which never shrinks; 0 for a Ruby outside of this process. */
  get memorySize(): number {
    return this.#engine.memorySize
  }

  /** Marks the machine as dead for an external reason. */
  abandon(reason: Error): void {
    this.#crash ??= reason
    this.#engine.close()
  }

  /** Runs an operation. Throws RubyError, RUBY_CRASHED, or errors of `answer`. */
  call(operation: string, args: readonly Json[], answer: RubyAnswer): Json {
    if (this.#atOnce) throw new Error(`Ruby cannot run ${operation} while a Ruby iterator waits for its result`)
    const outer = this.#answer
    this.#answer = answer
    try {
      let message = this.#turn('start', [operation, ...args])
      while (message[0] === 'ask') {
        const [, id, question, ...rest] = message
        message = this.#turn('resume', [id, ...this.#reply(question, rest)])
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
    return this.#outcome(this.#turn('alone', [operation, ...args]) as Exclude<Message, readonly ['ask', ...unknown[]]>)
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
  #turn(method: BridgeMethod, message: readonly Json[]): Message {
    if (this.#crash !== undefined) throw this.#crash
    try {
      return parseMessage(this.#engine.exchange(method, JSON.stringify(message)))
    } catch (error) {
      this.#crash = createPuppetError(issues.RUBY_CRASHED, { reason: formatFailureReason(error) })
      this.#engine.close()
      throw this.#crash
    }
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

  /** Replies to a query from a fiber of module code. */
  #answerAtOnce(query: string): string {
    const [, question, ...args] = JSON.parse(query) as [string, string, ...Json[]]
    this.#atOnce = true
    try {
      return JSON.stringify(this.#reply(question, args))
    } finally {
      this.#atOnce = false
    }
  }
}

/** Parses a message from Ruby. Throws if module code wrote to the bridge, or interfered with the prelude. */
function parseMessage(text: string): Message {
  const message = JSON.parse(text) as Message
  if (!Array.isArray(message) || !kinds.has(message[0])) throw new RubyCrash('it sent an invalid message')
  return message
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
