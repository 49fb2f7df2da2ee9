import { afterAll, beforeAll, expect } from 'vitest'

// A suite that shares its process with others fails at its end if it has changed what they depend on.

interface ProcessState {
  readonly environment: string
  readonly folder: string
  readonly umask: number
  readonly user: number | undefined
  /** Number of listeners that handle errors which nothing else handles. */
  readonly handlers: number
  /** Number of listeners on the channel to Vitest, by which it keeps this process alive. */
  readonly channelListeners: number
}

function readProcessState(): ProcessState {
  return {
    environment: JSON.stringify(Object.entries(process.env).sort()),
    folder: process.cwd(),
    umask: process.umask(),
    user: process.geteuid?.(),
    channelListeners: process.listenerCount('message') + process.listenerCount('disconnect'),
    handlers: process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection'),
  }
}

let before: ProcessState
beforeAll(() => {
  before = readProcessState()
})
afterAll(() => {
  expect(readProcessState(), 'the process after a suite that shares it').toEqual(before)
})
