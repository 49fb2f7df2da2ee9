import { Worker, type WorkerOptions } from 'node:worker_threads'
import { isSingleExecutable, readProgramFile } from './program-files.ts'

/** The start script, which the executable's threads evaluate. */
const startScript = `${process.execPath}/start.cjs`

/** Starts a thread with one of our scripts, by a path of `resolveScriptPath`. */
export function startThread(script: string, options: WorkerOptions = {}): Worker {
  if (!isSingleExecutable) return new Worker(script, options)
  return new Worker(readProgramFile(startScript).toString('latin1'), { ...options, eval: true, argv: [script] })
}
