import { errorOf } from '../../base/issue.ts'
import { AskedProcess } from '../../base/threads/asked-process.ts'
import { NoAnswer } from '../../base/threads/asked-thread.ts'
import { commandIssues, localCommands } from './commands.ts'
import type { Commands, RunOptions, RunResult } from './system.ts'

/** A program to be run, to the process that starts it. */
export interface StarterQuestion {
  readonly command: readonly string[]
  readonly options: RunOptions | undefined
}

/**
 * The programs of this machine, started by a small process of our own. A process that starts another stands still while
 * the system copies its tables of memory: 30 to 100 ms where it has some hundred MiB, as a server has.
 */
export class ProgramStarter implements Commands {
  readonly find = localCommands.find
  readonly #process = new AskedProcess<StarterQuestion, RunResult>(
    new URL('./program-starter-process.js', import.meta.url),
  )

  async run(command: readonly string[], options?: RunOptions): Promise<RunResult> {
    try {
      return await this.#process.ask({ command, options })
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      throw errorOf(commandIssues.COMMAND_NOT_STARTED, { command: command[0] ?? '', why: error.message })
    }
  }

  /** Ends the process; programs that still run are left to themselves. */
  close(): void {
    this.#process.close()
  }
}
