import { inOneLine, PuppetError } from '../../base/issue.ts'
import { readCommand } from '../../store/commands/read-command.ts'
import type { Database } from '../../store/database/database.ts'
import { problemOfCommand } from '../../store/database/outage.ts'
import { besideOthers } from '../../store/ingest/beside-others.ts'
import { ingest } from '../../store/ingest/ingest.ts'
import type { Submitted } from '../../store/node-store.ts'

/** Maximum number of commands in one transaction. */
const atOnce = 16

/**
 * Writes commands to the database without a queue, several in each transaction. Calls `refused` for commands that cannot be read
 * or written.
 */
export function writtenNow(database: Database, refused: (command: Submitted, problem: string) => void) {
  let waiting: Submitted[] = []
  const write = async (commands: readonly Submitted[]) => {
    const received = new Date().toISOString()
    await database.transaction(async (inside) => {
      await besideOthers(
        inside,
        commands.map(({ certname }) => certname),
      )
      for (const command of commands) await ingest(inside, readCommand({ ...command, received }), Date.parse(received))
    })
  }
  const each = async (commands: readonly Submitted[]) => {
    for (const command of commands)
      await write([command]).catch((error: unknown) => {
        const problem = error instanceof PuppetError ? inOneLine(error.diagnostic) : problemOfCommand(error)
        if (problem === undefined) throw error
        refused(command, problem)
      })
  }
  const end = async () => {
    const commands = waiting
    waiting = []
    // If one command fails, the transaction is rolled back and each command is written separately.
    if (commands.length > 0) await write(commands).catch(() => each(commands))
  }
  return {
    end,
    async add(command: Submitted): Promise<void> {
      waiting.push(command)
      if (waiting.length === atOnce) await end()
    },
  }
}
