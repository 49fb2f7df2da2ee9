import '../../base/threads/no-debugger.ts'
import { answerInProcess } from '../../base/threads/asked-process.ts'
import { localCommands } from './commands.ts'
import type { StarterQuestion } from './program-starter.ts'

answerInProcess(({ command, options }: StarterQuestion) => localCommands.run(command, options))
