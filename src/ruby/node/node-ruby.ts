import type { Json } from '../../base/json/json-checks.ts'
import { pauseShortRun } from '../../base/threads/short-run.ts'
import { NoAnswerError } from '../../base/threads/worker-thread.ts'
import type { DeferredScope } from './deferred-evaluation.ts'
import type { DeferredReply } from './deferred-functions.ts'
import type { RubyLine } from './host.ts'
import type { NodeError, NodeMachineOptions, RubyChange } from './node-machine.ts'
import { type NodeCall, NodeThread } from './node-thread-start.ts'
import type { RubyPreload } from './ruby-preload.ts'

/** A Ruby exception on a node. */
export class NodeRubyError extends Error {
  readonly kind: string
  readonly place: Pick<NodeError, 'file' | 'line'>

  constructor({ kind, message, file, line }: NodeError) {
    super(message)
    this.kind = kind
    this.place = { file, line }
  }

  /** True if the machine crashed and lost its state. */
  get isCrash(): boolean {
    return this.kind === 'crash'
  }
}

/** The message of Ruby's timeout library. */
const timeIsOver = 'execution expired'

/** The Ruby of a node, in a separate thread that starts with the first call. */
export class NodeRuby {
  readonly #thread: NodeThread
  readonly #log: (line: RubyLine) => void
  readonly #changed: (change: RubyChange) => void
  readonly #signal: AbortSignal | undefined
  /** Called after the first call, when the thread has loaded its code. */
  readonly #loaded: () => void

  /**
   * `log` receives Ruby's log lines in order, before the result of the call that logged them; `changed` receives
   * attribute values that Ruby code set for resources that this program manages itself. When the signal is aborted,
   * all calls fail. A thread started in advance is used if there is one.
   */
  constructor(
    options: NodeMachineOptions,
    log: (line: RubyLine) => void,
    changed: (change: RubyChange) => void = () => {},
    signal?: AbortSignal,
    ahead?: RubyPreload,
  ) {
    const thread = ahead?.take(options)
    this.#loaded = thread ? () => {} : pauseShortRun()
    this.#log = log
    this.#changed = changed
    this.#signal = signal
    this.#thread = thread ?? new NodeThread(() => options)
    signal?.addEventListener('abort', () => this.#thread.giveUp(timeIsOver), { once: true })
  }

  /** Runs an operation. `log` receives its log lines, not the default log. Throws NodeRubyError, NoAnswerError. */
  call(operation: string, args: readonly Json[] = [], log = this.#log): Promise<Json> {
    return this.#ask({ operation, args }, log)
  }

  async #ask(call: NodeCall, log: (line: RubyLine) => void): Promise<Json> {
    if (this.#signal?.aborted) throw new NoAnswerError('time', timeIsOver)
    const { value, error, logs, changes } = await this.#thread.ask(call).finally(this.#loaded)
    for (const line of logs) log(line)
    for (const change of changes) this.#changed(change)
    if (error) throw new NodeRubyError(error)
    return value ?? null
  }

  /**
   * Resolves a Deferred value, given as text of rich data. Log lines are returned, since they can contain secrets.
   * Throws NodeRubyError if Ruby crashes, and NoAnswerError.
   */
  async resolveDeferred(
    value: string,
    scope: DeferredScope,
  ): Promise<DeferredReply & { readonly logs: readonly RubyLine[] }> {
    const lines: RubyLine[] = []
    const reply = await this.#ask({ deferred: value, scope }, (line) => lines.push(line))
    return { ...(reply as unknown as DeferredReply), logs: lines }
  }

  /** Ends the thread, also during a call. */
  close(): Promise<void> {
    this.#loaded()
    return this.#thread.close()
  }
}
