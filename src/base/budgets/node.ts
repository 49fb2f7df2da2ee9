import { createBudget, MiB } from './budget.ts'

/** Budgets of each node, or of each IP address of clients without a certificate. */
// biome-ignore format: one line per budget
export const nodeBudgets = {
  requests: createBudget(60_000, 'per minute', 'requests of one node', 'a first plug-in sync requests thousands of files, hundreds per second', '429', 'max_requests_per_minute'),
  requestsAtOnce: createBudget(64, 'at once', 'concurrent requests of one node', 'an agent has one, some clients have eight', '429', 'max_requests_at_once'),
  catalogs: createBudget(1200, 'per minute', 'catalog requests of one node', 'an agent requests one every half hour; tools that compare catalogs request twenty per second', '429'),
  documents: createBudget(600, 'per minute', 'facts, reports and node requests of one node', 'an agent sends one of each every half hour', '429'),
  documentsAtOnce: createBudget(16, 'at once', 'concurrent facts, reports and node requests of one node', 'an agent sends one after the other; each may contain facts of 16 MiB', '429'),
  renewals: createBudget(10, 'per minute', 'certificate renewals of one node', 'an agent renews every two months; each renewal locks the authority and adds a line to its inventory', '429'),
  searches: createBudget(3000, 'per minute', 'file searches (`file_metadatas`) of one node', 'a run makes one for each folder with a source, and four for plug-ins', '429'),
  searchesAtOnce: createBudget(10, 'at once', 'concurrent file searches of one node', 'an agent makes one after the other, some clients eight; each may take a third of a second and 30 MiB', '429'),
  downloadsAtOnce: createBudget(10, 'at once', 'concurrent file downloads of one node', 'an agent downloads one after the other, some clients eight; a large file takes one of 32 processes', '429'),
  uploads: createBudget(6000, 'per minute', 'uploads of one node to the file bucket', 'a run that replaces thousands of files uploads each of them, one after the other', '429'),
  uploadsAtOnce: createBudget(8, 'at once', 'concurrent uploads of one node to the file bucket', 'an agent uploads one after the other', '429'),
  strangerRequests: createBudget(12_000, 'per minute', 'requests without a certificate from one address', 'a thousand new nodes behind one address, each requesting its certificate, and monitoring', '429'),
  strangerRequestsAtOnce: createBudget(64, 'at once', 'concurrent requests without a certificate from one address', 'as for requests per minute', '429'),
  bodiesHeld: createBudget(96 * MiB, 'bytes', 'request bodies of one node in memory', 'two of the largest', '429, before the rest is read'),
  waitingCatalogs: createBudget(4, 'at once', 'catalogs of one node waiting to be compiled, in addition to the one being compiled', 'an agent requests one at a time; an operator may request the same catalog, and requests are repeated', '429 with Retry-After'),
  answer: createBudget(384 * MiB, 'bytes', 'an answer that an agent reads as a whole: a catalog or the metadata of files', 'one and a half of the largest catalogs; before the agent has the CA certificate it cannot identify the server', 'the request fails'),
  secretTime: createBudget(60_000, 'ms', 'a request of a node to Vault for a Deferred value', 'an engine of Vault that creates credentials in a cloud takes ten to twenty seconds', 'the resource fails'),
  signature: createBudget(8192, 'characters', 'the signature of a catalog in an answer to an agent', 'certificate and statement take 2,000 to 3,000 characters; a header may have 16,384', 'the catalog is rejected'),
  hint: createBudget(1000, 'characters', 'the hint in the answer to a failed request, sent by a server or read by an agent', 'a sentence or two, with a path and some names', 'the hint is truncated'),
}
