import '../base/no-debugger.ts'
import { PuppetError } from '../base/issue.ts'
import { endWithParent } from '../base/own-process.ts'
import { localCommands } from './commands.ts'
import type { StarterAnswer, StarterQuestion } from './program-starter.ts'

endWithParent()
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
