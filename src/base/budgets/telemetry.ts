import { type Budgets, KiB, MiB } from './budget.ts'

/** Budgets of what is measured and logged of the server itself. */
export const telemetry = {
  requestId: {
    bound: 64,
    unit: 'characters',
    of: 'an id of a request that its client brings (X-Request-Id)',
    reason: 'a UUID has 36, the id of a trace 32; it stands in every line about the request',
    beyond: 'the server makes an id of its own',
  },
  environments: {
    bound: 200,
    unit: 'items',
    of: 'environments that figures are kept of one by one',
    reason: 'each has some twenty lines in an answer of /metrics, and who pushes names it',
    beyond: "they are counted together, as environment 'other'",
  },
  logField: {
    bound: 1024,
    unit: 'characters',
    of: 'a path, or the name of a program, in a line of the access log',
    reason: 'paths of files have a few hundred; a URL may have 16 KiB',
    beyond: 'the rest is left out',
  },
  logBuffer: {
    bound: 16 * MiB,
    unit: 'bytes',
    of: 'lines of the access log that wait to be written',
    reason: 'eighty thousand requests, should a disk stand still for a moment',
    beyond: 'lines are lost; /metrics counts them, and the log says so',
  },
  bulkBody: {
    bound: 64 * KiB,
    unit: 'bytes',
    of: 'the body of a request for figures (/metrics/v2)',
    reason: 'a dashboard asks for fifty figures in 8 KiB',
    beyond: '413',
  },
  bulkRequests: {
    bound: 200,
    unit: 'items',
    of: 'the questions in one request for figures (/metrics/v2)',
    reason: 'there are some hundred figures, and a pattern reads all of them at once',
    beyond: 'the answer is an error, in words',
  },
  plainConnections: {
    bound: 32,
    unit: 'at once',
    of: 'connections to metrics_plain_port',
    reason: 'a scraper or two on this machine',
    beyond: 'the connection is closed',
  },
} as const satisfies Budgets
