import type { ChildProcess } from 'node:child_process'
import { errorOf } from '../base/issue.ts'
import { forkOwn } from '../base/own-process.ts'
import { type PackedError, unpackError } from '../base/packed-error.ts'
import { errorText } from '../ruby-semantics/errno.ts'
import { commandIssues, localCommands } from './commands.ts'
import type { Commands, RunOptions, RunResult } from './system.ts'

/** A program to be run, to the process that starts it. */
export interface StarterQuestion {
  readonly id: number
  readonly command: readonly string[]
  readonly options: RunOptions | undefined
}

/** The end of the program, or the reason why it was not run. */
export type StarterAnswer =
  | { readonly id: number; readonly result: RunResult }
  | { readonly id: number; readonly error: PackedError }

interface Asked {
  readonly command: string
  readonly resolve: (result: RunResult) => void
  readonly reject: (error: Error) => void
}

/**
 * The programs of this machine, started by a small process of our own. A process that starts another stands still while
 * the system copies its tables of memory: 30 to 100 ms where it has some hundred MiB, as a server has. The small process
 * is begun with the first program, and again when it has died.
 */
export class ProgramStarter implements Commands {
  readonly find = localCommands.find
  readonly #asked = new Map<number, Asked>()
  #process: ChildProcess | undefined
  #lastId = 0

  run(command: readonly string[], options?: RunOptions): Promise<RunResult> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      this.#asked.set(id, { command: command[0] ?? '', resolve, reject })
      try {
        this.#process ??= this.#start()
        this.#hold(this.#process)
        this.#process.send({ id, command, options } satisfies StarterQuestion)
      } catch (error) {
        this.#refuse(id, errorText(error))
      }
    })
  }

  /** Ends the process; programs that still run are left to themselves. */
  close(): void {
    this.#lost(this.#process, 'the server ends')
  }

  #start(): ChildProcess {
    const process = forkOwn(new URL('./program-starter-process.js', import.meta.url))
    process.on('message', (answer: StarterAnswer) => this.#answer(answer))
    process.on('error', ({ message }) => this.#lost(process, message))
    process.on('exit', () => this.#lost(process, 'what should start it has ended'))
    return process
  }

  #answer(answer: StarterAnswer): void {
    const asked = this.#asked.get(answer.id)
    this.#asked.delete(answer.id)
    if (this.#process) this.#hold(this.#process)
    if ('result' in answer) asked?.resolve(answer.result)
    else asked?.reject(unpackError(answer.error))
  }

  /** Keeps us alive for as long as an answer is to come. */
  #hold(process: ChildProcess): void {
    for (const each of [process, process.channel]) this.#asked.size > 0 ? each?.ref() : each?.unref()
  }

  #lost(process: ChildProcess | undefined, why: string): void {
    if (this.#process !== process) return
    this.#process = undefined
    if (process?.connected) process.disconnect()
    for (const id of [...this.#asked.keys()]) this.#refuse(id, why)
  }

  #refuse(id: number, why: string): void {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    asked?.reject(errorOf(commandIssues.COMMAND_NOT_STARTED, { command: asked.command, why }))
  }
}
