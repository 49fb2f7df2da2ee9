import { type Budgets, MiB } from './budget.ts'

/** Budgets of plug-ins of the server's owner. */
export const plugIn = {
  time: {
    bound: 30_000,
    unit: 'ms',
    of: 'the answer of a terminus or of a report processor of the owner',
    reason: 'an agent waits for it',
    beyond:
      'it fails in words; of JavaScript the plug-in goes on, for nobody can stop it, of Ruby its thread is ended and begun again',
  },
  body: {
    bound: MiB,
    unit: 'bytes',
    of: 'the body of a request to an indirection of the owner',
    reason: 'it is parsed between two other requests, in some milliseconds',
    beyond: '413',
  },
  rubyWaiting: {
    bound: 200,
    unit: 'at once',
    of: 'calls of plug-ins in Ruby that wait for their turn: there is one interpreter for all',
    reason: 'each holds a report or facts in memory, and an agent waits for it',
    beyond: 'the call fails in words: a request for a node or facts as well, of a report the line in the log',
  },
  rubyWaitingText: {
    bound: 128 * MiB,
    unit: 'characters',
    of: 'the reports and facts of such calls together',
    reason: 'a thousand of the usual size, or four of the largest',
    beyond: 'the same',
  },
  rubyMemory: {
    bound: 320 * MiB,
    unit: 'bytes',
    of: 'the memory that this interpreter may have after a call',
    reason: 'its memory never shrinks; while it works it may have 512 MiB, beyond which Ruby raises NoMemoryError',
    beyond: 'the next call begins with a new interpreter, which loads its plug-ins again',
  },
  files: {
    bound: 1000,
    unit: 'items',
    of: 'files of Ruby and folders below server_plugins',
    reason: 'each is looked at when the server starts, so that nobody else may change it',
    beyond: 'the server does not start',
  },
} as const satisfies Budgets
