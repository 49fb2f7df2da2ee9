import { type Budgets, MiB } from './budget.ts'

/** Budgets of one node, or of one address without a certificate, at a time. */
export const node = {
  requests: {
    bound: 60_000,
    unit: 'per minute',
    of: 'the requests of one node',
    reason: 'a first pluginsync asks for thousands of files, hundreds a second',
    beyond: '429',
    setting: 'max_requests_per_minute',
  },
  requestsAtOnce: {
    bound: 64,
    unit: 'at once',
    of: 'the requests of one node',
    reason: 'an agent has one under way, some clients eight',
    beyond: '429',
    setting: 'max_requests_at_once',
  },
  catalogs: {
    bound: 1200,
    unit: 'per minute',
    of: 'the catalogs that one node asks for',
    reason: 'an agent asks for one in half an hour; tools that compare catalogs ask for twenty in a second',
    beyond: '429',
  },
  documents: {
    bound: 600,
    unit: 'per minute',
    of: 'the facts and reports that one node sends, and the nodes it asks for',
    reason: 'of an agent one of each in half an hour',
    beyond: '429',
  },
  documentsAtOnce: {
    bound: 16,
    unit: 'at once',
    of: 'the facts and reports that one node sends, and the nodes it asks for',
    reason: 'of an agent one after the other; each may hold facts of 16 MiB',
    beyond: '429',
  },
  renewals: {
    bound: 10,
    unit: 'per minute',
    of: 'the certificates that one node has renewed',
    reason:
      'an agent does it once in two months; each takes the lock of the authority, and a line of its inventory for ever',
    beyond: '429',
  },
  searches: {
    bound: 3000,
    unit: 'per minute',
    of: 'the searches of files (`file_metadatas`) of one node',
    reason: 'a run asks for one for each folder with a source, and for four of plug-ins',
    beyond: '429',
  },
  searchesAtOnce: {
    bound: 10,
    unit: 'at once',
    of: 'the searches of files of one node',
    reason: 'an agent makes one after the other, some clients eight; each may take a third of a second and 30 MiB',
    beyond: '429',
  },
  downloadsAtOnce: {
    bound: 10,
    unit: 'at once',
    of: 'the files that one node is being sent',
    reason:
      'an agent asks for one after the other, some clients for eight; a large one has a process, of which there are 32',
    beyond: '429',
  },
  uploads: {
    bound: 6000,
    unit: 'per minute',
    of: 'the files that one node sends to the file bucket',
    reason: 'a run that replaces thousands of files sends each of them, one after the other',
    beyond: '429',
  },
  uploadsAtOnce: {
    bound: 8,
    unit: 'at once',
    of: 'the files that one node sends to the file bucket',
    reason: 'an agent sends one after the other',
    beyond: '429',
  },
  strangerRequests: {
    bound: 12_000,
    unit: 'per minute',
    of: 'the requests without a certificate from one address',
    reason: 'a thousand new nodes behind one address, each asking for its certificate, and monitors',
    beyond: '429',
  },
  strangerRequestsAtOnce: {
    bound: 64,
    unit: 'at once',
    of: 'the requests without a certificate from one address',
    reason: 'the same',
    beyond: '429',
  },
  bodiesHeld: {
    bound: 96 * MiB,
    unit: 'bytes',
    of: 'bodies in memory, those of the requests of one node together',
    reason: 'two of the largest',
    beyond: '429, before the rest is read',
  },
  waitingCatalogs: {
    bound: 4,
    unit: 'at once',
    of: 'catalogs of one node that wait to be compiled, beside the one that is being compiled',
    reason: 'an agent asks for one at a time; an operator looks at it beside that, and requests are repeated',
    beyond: '429 with Retry-After',
  },
  answer: {
    bound: 384 * MiB,
    unit: 'bytes',
    of: 'an answer of a server that an agent reads as a whole: a catalog, the description of files',
    reason:
      'one and a half of the largest catalogs; before it has the certificate of its authority it cannot tell who answers',
    beyond: 'the request fails',
  },
  hint: {
    bound: 1000,
    unit: 'characters',
    of: 'the hint in the answer to a request that failed, as a server sends it and as an agent takes it',
    reason: 'a sentence or two, with a path and some names',
    beyond: 'the rest is left out',
  },
} as const satisfies Budgets
