import '../../base/threads/debugger.ts'
import { answerParentProcess } from '../../base/threads/worker-process.ts'
import { localCommands } from './commands.ts'
import type { StarterQuestion } from './program-starter.ts'

answerParentProcess(({ command, options }: StarterQuestion) => localCommands.run(command, options))
