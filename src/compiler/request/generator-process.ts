import '../../base/threads/no-debugger.ts'
import { answerInProcess } from '../../base/threads/asked-process.ts'
import { runGenerator } from './run-generator.ts'

// Runs the programs of generate(). In the server, each fork would block the event loop while the
// system copies its page tables.
answerInProcess(runGenerator)
