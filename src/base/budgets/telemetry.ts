import { createBudget, KiB, MiB } from './budget.ts'

/** Budgets of the server's metrics and logs. */
// biome-ignore format: one line per budget
export const telemetryBudgets = {
  requestId: createBudget(64, 'characters', "a client's request ID (X-Request-Id)", 'a UUID has 36, a trace ID 32; each log line of the request contains it', 'the server generates an ID'),
  environments: createBudget(200, 'items', 'environments with metrics of their own', 'each adds about twenty lines to /metrics, and anyone who pushes can create one', "the others are counted as environment 'other'"),
  logField: createBudget(1024, 'characters', 'a path or a program name in a line of the access log', 'file paths have some hundred characters; a URL may have 16 KiB', 'the field is truncated'),
  logBuffer: createBudget(16 * MiB, 'bytes', 'lines of the access log waiting to be written', 'eighty thousand requests during a stall of the disk', 'lines are lost; /metrics counts them, and the log reports it'),
  bulkBody: createBudget(64 * KiB, 'bytes', 'the body of a metrics request (/metrics/v2)', 'a dashboard requests fifty metrics in 8 KiB', '413'),
  bulkRequests: createBudget(200, 'items', 'requests in one body (/metrics/v2)', 'there are about a hundred metrics, and one pattern reads all of them', 'an error with a reason'),
  plainConnections: createBudget(32, 'at once', 'connections to metrics_plain_port', 'one or two scrapers on this machine', 'the connection is closed'),
}
