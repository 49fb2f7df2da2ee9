import { budget, KiB, MiB } from './budget.ts'

/** Budgets of what is measured and logged of the server itself. */
// biome-ignore format: one line per budget
export const telemetry = {
  requestId: budget(64, 'characters', 'an id of a request that its client brings (X-Request-Id)', 'a UUID has 36, the id of a trace 32; it stands in every line about the request', 'the server makes an id of its own'),
  environments: budget(200, 'items', 'environments that figures are kept of one by one', 'each has some twenty lines in an answer of /metrics, and who pushes names it', "they are counted together, as environment 'other'"),
  logField: budget(1024, 'characters', 'a path, or the name of a program, in a line of the access log', 'paths of files have a few hundred; a URL may have 16 KiB', 'the rest is left out'),
  logBuffer: budget(16 * MiB, 'bytes', 'lines of the access log that wait to be written', 'eighty thousand requests, should a disk stand still for a moment', 'lines are lost; /metrics counts them, and the log says so'),
  bulkBody: budget(64 * KiB, 'bytes', 'the body of a request for figures (/metrics/v2)', 'a dashboard asks for fifty figures in 8 KiB', '413'),
  bulkRequests: budget(200, 'items', 'the questions in one request for figures (/metrics/v2)', 'there are some hundred figures, and a pattern reads all of them at once', 'the answer is an error, in words'),
  plainConnections: budget(32, 'at once', 'connections to metrics_plain_port', 'a scraper or two on this machine', 'the connection is closed'),
}
