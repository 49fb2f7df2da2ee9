import '../../base/threads/no-debugger.ts'
import { answerInProcess } from '../../base/threads/asked-process.ts'
import { runGenerator } from './run-generator.ts'

// The programs of generate() are started here: the server would stand still while the system copies its tables of memory.
answerInProcess(runGenerator)
