import { type ChildProcess, fork, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { isMainThread, parentPort } from 'node:worker_threads'
import { startChildProcess } from './child-process.ts'
import { isSingleExecutable } from './program-files.ts'
import { resolveScriptPath } from './script-path.ts'
import { startThread } from './script-thread.ts'

/** Environment variables that start a script in a child process of the executable; other processes ignore them. */
const scriptVariable = 'PLUMB_CHILD_SCRIPT'
const heapVariable = 'PLUMB_CHILD_HEAP_MB'

/** Options of a process that runs one of our scripts. */
export interface ScriptProcessOptions {
  /** Size of the JavaScript heap, in MiB. Node ends a process that exceeds it. */
  readonly heapMb?: number
}

/**
 * Starts one of our scripts as a process with an IPC channel that can also send handles; the script must call
 * `endWithParent` first. With `heapMb`, it must communicate through `connectParent`.
 */
export function forkScript(script: URL, { heapMb }: ScriptProcessOptions = {}): ChildProcess {
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit', 'ipc']
  const path = resolveScriptPath(script)
  if (!isSingleExecutable) {
    const execArgv = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`]
    return startChildProcess(() => fork(path, [], { execArgv, serialization: 'advanced', stdio }))
  }
  const env = { ...process.env, [scriptVariable]: path, ...(heapMb !== undefined && { [heapVariable]: `${heapMb}` }) }
  return startChildProcess(() => spawn(process.execPath, [], { env, serialization: 'advanced', stdio }))
}

/** The script that a child process of the executable runs. */
export interface ChildScript {
  readonly path: string
  readonly heapMb: number | undefined
}

/**
 * Returns the script that the parent process selected, and removes it from the environment. Undefined for a process
 * without an IPC channel: such a process was not started by `forkScript`.
 */
export function takeChildScript(env: NodeJS.ProcessEnv): ChildScript | undefined {
  const { [scriptVariable]: path, [heapVariable]: heap } = env
  delete env[scriptVariable]
  delete env[heapVariable]
  if (path === undefined || !process.connected) return undefined
  return { path, heapMb: heap === undefined ? undefined : Number(heap) }
}

/**
 * Runs a script in a thread of this process, with a limited heap: the executable accepts no options of Node that limit
 * the heap of its main thread.
 */
export async function runInLimitedThread(path: string, heapMb: number): Promise<void> {
  endWithParent()
  const thread = startThread(path, { resourceLimits: { maxOldGenerationSizeMb: heapMb } })
  process.on('message', (message) => thread.postMessage(message))
  thread.on('message', (message) => process.connected && process.send?.(message))
  await once(thread, 'exit').catch(() => {})
  process.exit(1)
}

/** A connection to the parent process. */
export interface ParentConnection<Received, Sent> {
  onMessage(receive: (message: Received) => void): void
  send(message: Sent): void
}

/** Connects a script to the parent of its process. */
export function connectParent<Received, Sent>(): ParentConnection<Received, Sent> {
  if (isMainThread) {
    return {
      onMessage: (receive) => void process.on('message', receive as (message: unknown) => void),
      send: (message) => process.connected && process.send?.(message),
    }
  }
  return {
    onMessage: (receive) => void parentPort!.on('message', receive),
    send: (message) => parentPort!.postMessage(message),
  }
}

/**
 * Ends the current process when its parent disconnects for any reason. Ignores terminal signals, which reach both
 * processes; the parent handles them.
 */
export function endWithParent(): void {
  if (!isMainThread) return
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {})
  process.on('disconnect', () => process.exit())
}
