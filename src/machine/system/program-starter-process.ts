import '../../base/threads/no-debugger.ts'
import { answerParentProcess } from '../../base/threads/asked-process.ts'
import { localCommands } from './commands.ts'
import type { StarterQuestion } from './program-starter.ts'

answerParentProcess(({ command, options }: StarterQuestion) => localCommands.run(command, options))
