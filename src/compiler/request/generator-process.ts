import '../../base/threads/debugger.ts'
import { answerParentProcess } from '../../base/threads/worker-process.ts'
import { runGenerator } from './generator-command.ts'

// Runs the programs for generate() in a separate process. In the server process, each fork would block the event loop
// while the system copies the page tables.
answerParentProcess(runGenerator)
