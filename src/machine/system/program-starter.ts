import { createPuppetError } from '../../base/issue.ts'
import { WorkerProcess } from '../../base/threads/worker-process.ts'
import { NoAnswerError } from '../../base/threads/worker-thread.ts'
import { commandIssues, localCommands } from './commands.ts'
import type { CommandOptions, CommandResult, Commands } from './system.ts'

/** A request to run a program, sent to the starter process. */
export interface StarterQuestion {
  readonly command: readonly string[]
  readonly options: CommandOptions | undefined
}

/**
 * Starts programs from a small helper process. When a process starts a program, it is blocked while
 * the kernel copies its page tables: 30 to 100 ms for a server with some hundred MiB.
 */
export class ProgramStarter implements Commands {
  readonly find = localCommands.find
  readonly #process = new WorkerProcess<StarterQuestion, CommandResult>(
    new URL('./program-starter-process.js', import.meta.url),
  )

  async run(command: readonly string[], options?: CommandOptions): Promise<CommandResult> {
    try {
      return await this.#process.ask({ command, options })
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error
      throw createPuppetError(commandIssues.COMMAND_NOT_STARTED, { command: command[0] ?? '', why: error.message })
    }
  }

  /** Ends the helper process. Programs that are still running are not ended. */
  close(): void {
    this.#process.close()
  }
}
