import { type ChildProcess, fork } from 'node:child_process'
import { builtScript } from './built-script.ts'
import { startChild } from './start-child.ts'

/** Starts a script of ours as a process that we send messages to, handles too; it begins with `endWithParent`. */
export function forkOwn(script: URL, { execArgv = [] }: { readonly execArgv?: readonly string[] } = {}): ChildProcess {
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const
  return startChild(() =>
    fork(builtScript(script), [], { execArgv: [...execArgv], serialization: 'advanced', stdio: [...stdio] }),
  )
}

/** In such a process: it ends when its parent lets go of it, however that comes, and not by the keys of a terminal, which reach both. */
export function endWithParent(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {})
  process.on('disconnect', () => process.exit())
}
