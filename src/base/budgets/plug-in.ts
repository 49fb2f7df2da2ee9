import { createBudget, MiB } from './budget.ts'

/** Budgets of plug-ins. */
// biome-ignore format: one line per budget
export const plugInBudgets = {
  time: createBudget(30_000, 'ms', 'the answer of a custom terminus or report processor', 'an agent waits for it', "the call fails with a reason; JavaScript keeps running since it cannot be stopped, Ruby's thread is ended and restarted"),
  body: createBudget(MiB, 'bytes', 'the body of a request to a custom indirection', 'the event loop parses it in some milliseconds', '413'),
  rubyWaiting: createBudget(200, 'at once', 'calls of plug-ins in Ruby waiting for their turn in the one interpreter', 'each holds a report or facts in memory, and an agent waits for it', 'the call fails with a reason: the request for a node or facts fails, a report causes a log line'),
  rubyWaitingText: createBudget(128 * MiB, 'characters', 'total size of the reports and facts of waiting calls', 'a thousand of common size, or four of the largest', 'as for waiting calls'),
  rubyMemory: createBudget(320 * MiB, 'bytes', 'memory of this interpreter after a call', 'its memory never shrinks; during a call it may have 512 MiB, beyond which Ruby raises NoMemoryError', 'the next call starts a new interpreter, which loads its plug-ins again'),
  files: createBudget(1000, 'items', 'Ruby files and folders below server_plugins', 'the server checks at its start that no other user can change them', 'the server does not start'),
}
