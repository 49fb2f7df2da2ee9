import { budget, MiB } from './budget.ts'

/** Budgets of plug-ins of the server's owner. */
// biome-ignore format: one line per budget
export const plugIn = {
  time: budget(30_000, 'ms', 'the answer of a terminus or of a report processor of the owner', 'an agent waits for it', 'it fails in words; of JavaScript the plug-in goes on, for nobody can stop it, of Ruby its thread is ended and begun again'),
  body: budget(MiB, 'bytes', 'the body of a request to an indirection of the owner', 'it is parsed between two other requests, in some milliseconds', '413'),
  rubyWaiting: budget(200, 'at once', 'calls of plug-ins in Ruby that wait for their turn: there is one interpreter for all', 'each holds a report or facts in memory, and an agent waits for it', 'the call fails in words: a request for a node or facts as well, of a report the line in the log'),
  rubyWaitingText: budget(128 * MiB, 'characters', 'the reports and facts of such calls together', 'a thousand of the usual size, or four of the largest', 'the same'),
  rubyMemory: budget(320 * MiB, 'bytes', 'the memory that this interpreter may have after a call', 'its memory never shrinks; while it works it may have 512 MiB, beyond which Ruby raises NoMemoryError', 'the next call begins with a new interpreter, which loads its plug-ins again'),
  files: budget(1000, 'items', 'files of Ruby and folders below server_plugins', 'each is looked at when the server starts, so that nobody else may change it', 'the server does not start'),
}
