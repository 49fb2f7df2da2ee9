import { budgets } from '../../../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../../../base/issue.ts'
import type { Json } from '../../../../base/json/json-checks.ts'
import { resolveScriptPath } from '../../../../base/program/script-path.ts'
import { toPrintable } from '../../../../base/text/printable.ts'
import { Slots } from '../../../../base/threads/slots.ts'
import { NoAnswerError, WorkerThread } from '../../../../base/threads/worker-thread.ts'
import type { RubyLine } from '../../../../ruby/node/host.ts'
import type { NodeAnswer } from '../../../../ruby/node/node-machine.ts'
import type { PlugInCall, PlugInMachine, PlugInValue } from './plug-in-thread.ts'

/** Function that receives a line logged by Ruby. */
export type RubyLog = (line: RubyLine) => void

const issues = defineIssues({
  PLUG_INS_BUSY: {
    text: (_: object) => 'Too many calls of Ruby plug-ins are waiting',
    hint: () => 'Ruby plug-ins run one after the other. Move slow work to a program that the plug-in starts.',
  },
})

/** Stack size in MiB; nested Ruby blocks use the V8 stack. */
const stackSizeMb = 48
const heapMb = 1024

/**
 * The Ruby interpreter of plug-ins, on its own thread. The thread starts with the first call and restarts after it
 * hangs or ends. Calls run one at a time. The plug-in time limit applies to a call's run and, separately, to its
 * wait.
 */
export class PlugInRuby {
  readonly #thread: WorkerThread<PlugInCall, NodeAnswer>
  readonly #turn = new Slots({ atOnce: 1 })
  #waitingText = 0
  #isClosed = false

  constructor(machine: PlugInMachine) {
    this.#thread = new WorkerThread({
      script: resolveScriptPath(new URL('./plug-in-thread.js', import.meta.url)),
      stackSizeMb,
      heapMb,
      timeMs: budgets.plugIn.time.bound,
      data: () => ({ workerData: machine, transferList: [] }),
    })
  }

  /**
   * Calls an operation of a plug-in. Throws PLUG_INS_BUSY, NoAnswerError, or an error with Ruby's
   * message.
   */
  async call(operation: string, args: readonly PlugInValue[], log: RubyLog): Promise<Json> {
    const size = args.reduce((sum: number, each) => sum + getValueSize(each), 0)
    const { rubyWaiting, rubyWaitingText, time } = budgets.plugIn
    if (this.#turn.size >= rubyWaiting.bound || this.#waitingText + size > rubyWaitingText.bound)
      throwIssue(issues.PLUG_INS_BUSY, {})
    const late = Date.now() + time.bound
    this.#waitingText += size
    try {
      const { value, error, logs } = await this.#turn.run(() => this.#ask({ operation, args }, late))
      for (const line of logs) log(line)
      if (error) throw new Error(`${joinLines(error.message)}${formatLocation(error)}`)
      return value ?? null
    } finally {
      this.#waitingText -= size
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread.close()
  }

  /**
   * Runs a call unless it waited too long. The time limit starts before the thread starts, so a new thread's startup
   * counts toward it.
   */
  async #ask(call: Omit<PlugInCall, 'until'>, late: number): Promise<NodeAnswer> {
    if (this.#isClosed) throw new NoAnswerError('closed', 'The server is stopping')
    const { bound } = budgets.plugIn.time
    if (Date.now() >= late) throw new NoAnswerError('time', `it waited longer than ${bound / 1000} seconds`)
    return this.#thread.ask({ ...call, until: Date.now() + bound })
  }
}

function getValueSize(value: PlugInValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0
}

function joinLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').join(' ')
}

function formatLocation({ file, line }: { readonly file: string | null; readonly line: number }): string {
  return file === null ? '' : ` (${toPrintable(file)}:${line})`
}
