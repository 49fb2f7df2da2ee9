import { spawn } from 'node:child_process'
import { startChild } from '../../base/threads/start-child.ts'

/** Word of a process in the background to who began it: it is up, or it is not and why. */
interface Word {
  readonly trouble: string | undefined
}

/** Starts a command that goes on in the background, without a terminal, in no folder; answers its trouble, if any, once it is up. */
export function startInBackground([program = '', ...words]: readonly string[]): Promise<string | undefined> {
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const
  const child = startChild(() => spawn(program, words, { cwd: '/', detached: true, stdio: [...stdio] }))
  return new Promise((done) => {
    child.once('message', ({ trouble }: Word) => {
      child.disconnect()
      child.unref()
      done(trouble)
    })
    child.once('error', ({ message }) => done(message))
    child.once('exit', (status) => done(`It ended with ${status}`))
  })
}

/** In the background: tells who began it how that went, once; nothing where nobody did. */
export function tellStarter(trouble?: string): void {
  if (process.connected) process.send?.({ trouble } satisfies Word)
}
