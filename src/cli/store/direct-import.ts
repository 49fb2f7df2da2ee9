import { formatDiagnosticLine, PuppetError } from '../../base/issue.ts'
import { readCommand } from '../../store/commands/read-command.ts'
import type { Database } from '../../store/database/database.ts'
import { findPermanentProblem } from '../../store/database/outage.ts'
import { ingest } from '../../store/ingest/ingest.ts'
import { prepareNodeWrite } from '../../store/ingest/write-locks.ts'
import type { SubmittedCommand } from '../../store/node-store.ts'

/** Maximum number of commands in one transaction. */
const atOnce = 16

/**
 * Writes commands to the database without a queue, several in each transaction. Calls `refused` for commands that cannot be read
 * or written.
 */
export function createDirectWriter(database: Database, refused: (command: SubmittedCommand, problem: string) => void) {
  let waiting: SubmittedCommand[] = []
  const writeCommands = async (commands: readonly SubmittedCommand[]) => {
    const received = new Date().toISOString()
    await database.transaction(async (inside) => {
      await prepareNodeWrite(
        inside,
        commands.map(({ certname }) => certname),
      )
      for (const command of commands) await ingest(inside, readCommand({ ...command, received }), Date.parse(received))
    })
  }
  const writeSeparately = async (commands: readonly SubmittedCommand[]) => {
    for (const command of commands)
      await writeCommands([command]).catch((error: unknown) => {
        const problem =
          error instanceof PuppetError ? formatDiagnosticLine(error.diagnostic) : findPermanentProblem(error)
        if (problem === undefined) throw error
        refused(command, problem)
      })
  }
  const flush = async () => {
    const commands = waiting
    waiting = []
    // If one command fails, the transaction is rolled back and each command is written separately.
    if (commands.length > 0) await writeCommands(commands).catch(() => writeSeparately(commands))
  }
  return {
    end: flush,
    async add(command: SubmittedCommand): Promise<void> {
      waiting.push(command)
      if (waiting.length === atOnce) await flush()
    },
  }
}
