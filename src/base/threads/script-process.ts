import { type ChildProcess, fork } from 'node:child_process'
import { startChildProcess } from './child-process.ts'
import { resolveScriptPath } from './script-path.ts'

/**
 * Starts one of our scripts as a process with an IPC channel that can also send handles; the script
 * must call `endWithParent` first.
 */
export function forkScript(
  script: URL,
  { execArgv = [] }: { readonly execArgv?: readonly string[] } = {},
): ChildProcess {
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const
  return startChildProcess(() =>
    fork(resolveScriptPath(script), [], { execArgv: [...execArgv], serialization: 'advanced', stdio: [...stdio] }),
  )
}

/**
 * Ends the current process when its parent disconnects for any reason. Ignores terminal signals, which reach both
 * processes; the parent handles them.
 */
export function endWithParent(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {})
  process.on('disconnect', () => process.exit())
}
