import '../base/no-debugger.ts'
import { PuppetError } from '../base/issue.ts'
import { localCommands } from './commands.ts'
import type { StarterAnswer, StarterQuestion } from './program-starter.ts'

// What ends the server ends this, once the server has let go of it: not the keys of a terminal, which reach both.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit())

process.on('message', async ({ id, command, options }: StarterQuestion) => {
  answer(
    await localCommands.run(command, options).then(
      (result) => ({ id, result }),
      (error: Error) => ({
        id,
        message: error.message,
        diagnostic: error instanceof PuppetError ? error.diagnostic : undefined,
      }),
    ),
  )
})

function answer(said: StarterAnswer): void {
  if (process.connected) process.send?.(said)
}
