import { budget, MiB } from './budget.ts'

/** Budgets of one node, or of one address without a certificate, at a time. */
// biome-ignore format: one line per budget
export const node = {
  requests: budget(60_000, 'per minute', 'the requests of one node', 'a first pluginsync asks for thousands of files, hundreds a second', '429', 'max_requests_per_minute'),
  requestsAtOnce: budget(64, 'at once', 'the requests of one node', 'an agent has one under way, some clients eight', '429', 'max_requests_at_once'),
  catalogs: budget(1200, 'per minute', 'the catalogs that one node asks for', 'an agent asks for one in half an hour; tools that compare catalogs ask for twenty in a second', '429'),
  documents: budget(600, 'per minute', 'the facts and reports that one node sends, and the nodes it asks for', 'of an agent one of each in half an hour', '429'),
  documentsAtOnce: budget(16, 'at once', 'the facts and reports that one node sends, and the nodes it asks for', 'of an agent one after the other; each may hold facts of 16 MiB', '429'),
  renewals: budget(10, 'per minute', 'the certificates that one node has renewed', 'an agent does it once in two months; each takes the lock of the authority, and a line of its inventory for ever', '429'),
  searches: budget(3000, 'per minute', 'the searches of files (`file_metadatas`) of one node', 'a run asks for one for each folder with a source, and for four of plug-ins', '429'),
  searchesAtOnce: budget(10, 'at once', 'the searches of files of one node', 'an agent makes one after the other, some clients eight; each may take a third of a second and 30 MiB', '429'),
  downloadsAtOnce: budget(10, 'at once', 'the files that one node is being sent', 'an agent asks for one after the other, some clients for eight; a large one has a process, of which there are 32', '429'),
  uploads: budget(6000, 'per minute', 'the files that one node sends to the file bucket', 'a run that replaces thousands of files sends each of them, one after the other', '429'),
  uploadsAtOnce: budget(8, 'at once', 'the files that one node sends to the file bucket', 'an agent sends one after the other', '429'),
  strangerRequests: budget(12_000, 'per minute', 'the requests without a certificate from one address', 'a thousand new nodes behind one address, each asking for its certificate, and monitors', '429'),
  strangerRequestsAtOnce: budget(64, 'at once', 'the requests without a certificate from one address', 'the same', '429'),
  bodiesHeld: budget(96 * MiB, 'bytes', 'bodies in memory, those of the requests of one node together', 'two of the largest', '429, before the rest is read'),
  waitingCatalogs: budget(4, 'at once', 'catalogs of one node that wait to be compiled, beside the one that is being compiled', 'an agent asks for one at a time; an operator looks at it beside that, and requests are repeated', '429 with Retry-After'),
  answer: budget(384 * MiB, 'bytes', 'an answer of a server that an agent reads as a whole: a catalog, the description of files', 'one and a half of the largest catalogs; before it has the certificate of its authority it cannot tell who answers', 'the request fails'),
  signature: budget(8192, 'characters', 'the signature of a catalog, as an agent takes it', 'certificate and statement take 2,000 to 3,000; a header may have 16,384', 'the catalog is refused'),
  hint: budget(1000, 'characters', 'the hint in the answer to a request that failed, as a server sends it and as an agent takes it', 'a sentence or two, with a path and some names', 'the rest is left out'),
}
