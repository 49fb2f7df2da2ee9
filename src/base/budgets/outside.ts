import { createBudget, MiB } from './budget.ts'

/** Budgets of external data that Puppet code reads during compilation. */
// biome-ignore format: one line per budget
export const outsideBudgets = {
  answers: createBudget(128 * MiB, 'characters', 'external data in one compilation: store queries, programs, DNS and HTTP', 'kept until the catalog is complete, so that the same request has the same result in it', 'the catalog fails with a reason'),
  questions: createBudget(10_000, 'items', 'distinct external requests of one compilation', 'a list of a thousand hosts with a few record types each', 'the catalog fails with a reason'),
  question: createBudget(64 * 1024, 'characters', 'a DNS or HTTP request: a URL with its headers', 'servers accept URLs of 8 KiB', 'the request is rejected, and the code may continue without it'),
  dnsTime: createBudget(10_000, 'ms', 'a DNS request with all its retries', 'a resolver answers within a second, or its server is down', 'there is no answer, as if Ruby had timed out'),
  dnsRecords: createBudget(1000, 'items', 'records of a DNS answer', 'more than a message of 64 KiB contains', 'there is no answer'),
  httpTime: createBudget(20_000, 'ms', 'an HTTP request of code, from the DNS request to the last byte', 'a thread is blocked meanwhile, and an agent waits', 'there is no answer'),
  httpBody: createBudget(4 * MiB, 'bytes', 'the body of an HTTP answer to code', 'the maximum size of a data file', 'there is no answer'),
  httpHeaders: createBudget(16 * 1024, 'bytes', 'the headers of an HTTP answer to code', 'the default of Node', 'there is no answer'),
  secretTime: createBudget(10_000, 'ms', 'a request for a secret', 'a server answers within a second, or is down; a thread is blocked meanwhile', 'the lookup fails with a reason'),
  secretPaths: createBudget(100, 'items', 'paths to which the alternatives of a path in hiera_vault expand', 'a few alternatives in two segments; facts of a node may be part of the path', 'the lookup fails with a reason'),
  secretItems: createBudget(5000, 'items', 'values in a response with a secret', 'a secret has some fields; the server parses it on its event loop', 'the lookup fails with a reason'),
  secretBody: createBudget(MiB, 'bytes', 'the body of a response with a secret', 'the maximum size of a secret in Vault is 1 MiB by default', 'the lookup fails with a reason'),
  secretPages: createBudget(1000, 'items', 'pages of a list of parameters', 'a page has ten parameters, or is empty', 'the lookup fails with a reason'),
  secretToken: createBudget(86_400_000, 'ms', 'maximum time for which a token or temporary keys of a cloud are reused, whatever their lifetime', 'they are valid for an hour to a day', 'the server logs in again'),
  secretConnections: createBudget(50, 'items', 'TLS identities with open connections to servers of secrets', 'one for each level in hiera.yaml', 'idle connections are closed'),
  secretSessions: createBudget(500, 'items', 'tokens of Vault: servers, namespaces and credentials', 'one for each level and environment', 'the least recently used one logs in again'),
  file: createBudget(4 * MiB, 'bytes', 'a file that code reads from a folder outside of the environment', 'the maximum size of a data file; each file is recorded', 'the file does not exist for the code'),
  atOnce: createBudget(32, 'at once', 'DNS and HTTP requests of all threads', 'no more threads compile, and each has one request at a time', 'further requests wait in turn'),
  remembered: createBudget(32 * MiB, 'characters', 'cached DNS and HTTP answers of one process', 'some ten thousand names, and a few pages', 'the least recently used request is repeated'),
  answerTtl: createBudget(3_600_000, 'ms', 'maximum cache time of a DNS or HTTP answer, whatever the answer allows', 'changes must be visible on the same day', 'the request is repeated'),
}
