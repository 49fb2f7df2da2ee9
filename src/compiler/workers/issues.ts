import { defineIssues } from '../../base/issue.ts'

/** Errors of jobs that were not completed. */
export const poolIssues = defineIssues({
  COMPILE_FAILED: { text: (a: { message: string; hint: string | undefined }) => a.message, hint: (a) => a.hint },
  COMPILE_TIMEOUT: {
    text: (a: { node: string; environment: string; seconds: number }) =>
      `Compiling the catalog of ${a.node} in environment ${a.environment} took longer than ${a.seconds} seconds`,
    hint: () => 'Look for an endless loop or recursion, or increase compile_timeout.',
  },
  COMPILE_RUBY_TIMEOUT: {
    text: (a: { node: string; seconds: number; place: string }) =>
      `Evaluation Error: Error while evaluating a Function Call, Ruby code of a module ran longer than ${a.seconds} seconds${a.place && ` ${a.place}`} on node ${a.node}`,
    hint: () => 'Look for an endless loop in the called Ruby code, or increase ruby_timeout.',
  },
  COMPILE_CRASHED: {
    text: (a: { node: string; environment: string; reason: string }) =>
      `The process that compiled the catalog of ${a.node} in environment ${a.environment} died: ${a.reason}`,
  },
  COMPILE_QUEUE_FULL: {
    // The message is the same as in Puppet Server's jruby-pool-manager, so that a search for the message finds its
    // documentation.
    text: (_: object) =>
      'The number of requests waiting for a JRuby instance has exceeded the limit allowed by the max-queued-requests setting.',
  },
  NODE_QUEUE_FULL: {
    text: (a: { node: string; waiting: number }) =>
      `The number of requests of ${a.node} waiting for a catalog has exceeded the limit of ${a.waiting}.`,
  },
  CLIENT_GONE: { text: (a: { node: string }) => `The client of the catalog request for ${a.node} has disconnected` },
  COMPILE_POOL_CLOSED: { text: (_: object) => 'The server is stopping' },
})
