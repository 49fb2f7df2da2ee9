import '../base/no-debugger.ts'
import { endWithParent } from '../base/own-process.ts'
import { packError } from '../base/packed-error.ts'
import { localCommands } from './commands.ts'
import type { StarterAnswer, StarterQuestion } from './program-starter.ts'

endWithParent()
process.on('message', async ({ id, command, options }: StarterQuestion) => {
  answer(
    await localCommands.run(command, options).then(
      (result) => ({ id, result }),
      (error: unknown) => ({ id, error: packError(error) }),
    ),
  )
})

function answer(said: StarterAnswer): void {
  if (process.connected) process.send?.(said)
}
