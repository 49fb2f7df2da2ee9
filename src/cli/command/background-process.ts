import { spawn } from 'node:child_process'
import { startChildProcess } from '../../base/program/child-process.ts'

/** Message of a background process to its parent: ready, or failed with an error. */
interface Word {
  readonly trouble: string | undefined
}

/**
 * Starts a detached background process in `/`. Resolves when the process is ready; if the start fails, resolves with
 * the error.
 */
export function startInBackground([program = '', ...words]: readonly string[]): Promise<string | undefined> {
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const
  const child = startChildProcess(() => spawn(program, words, { cwd: '/', detached: true, stdio: [...stdio] }))
  return new Promise((done) => {
    child.once('message', ({ trouble }: Word) => {
      child.disconnect()
      child.unref()
      done(trouble)
    })
    child.once('error', ({ message }) => done(message))
    child.once('exit', (status) => done(`exit status ${status}`))
  })
}

/** Sends the result of the start to the parent of a background process; does nothing in the foreground. */
export function notifyParentProcess(trouble?: string): void {
  if (process.connected) process.send?.({ trouble } satisfies Word)
}
