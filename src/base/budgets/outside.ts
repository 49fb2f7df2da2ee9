import { type Budgets, MiB } from './budget.ts'

/** Budgets of what code may learn from outside while a catalog is compiled. */
export const outside = {
  answers: {
    bound: 128 * MiB,
    unit: 'characters',
    of: 'the answers from outside in one catalog: of the store, of programs, DNS and HTTP',
    reason: 'they are held until the catalog is done, so that the same question has the same answer in it',
    beyond: 'the catalog fails in words',
  },
  questions: {
    bound: 10_000,
    unit: 'items',
    of: 'different questions that one catalog asks outside',
    reason: 'a list of a thousand hosts, each asked for a few kinds of records',
    beyond: 'the catalog fails in words',
  },
  question: {
    bound: 64 * 1024,
    unit: 'characters',
    of: 'a question to DNS or HTTP: an address with its headers',
    reason: 'servers take addresses of 8 KiB',
    beyond: 'it is refused, and code may go on without',
  },
  dnsTime: {
    bound: 10_000,
    unit: 'ms',
    of: 'a question to DNS, with all its tries',
    reason: 'a resolver answers within a second, or its server is away',
    beyond: 'there is no answer, as where Ruby gives up',
  },
  dnsRecords: {
    bound: 1000,
    unit: 'items',
    of: 'the records of an answer of DNS',
    reason: 'more than a message of 64 KiB has',
    beyond: 'it counts as no answer',
  },
  httpTime: {
    bound: 20_000,
    unit: 'ms',
    of: 'a page that code reads by HTTP, from the first question for its name to its last byte',
    reason: 'a thread stands still meanwhile, and an agent waits',
    beyond: 'it counts as no answer',
  },
  httpBody: {
    bound: 4 * MiB,
    unit: 'bytes',
    of: 'a page that code reads by HTTP',
    reason: 'as large as a file of data may be',
    beyond: 'it counts as no answer',
  },
  httpHeaders: {
    bound: 16 * 1024,
    unit: 'bytes',
    of: 'the headers of such a page',
    reason: 'what Node takes by itself',
    beyond: 'it counts as no answer',
  },
  file: {
    bound: 4 * MiB,
    unit: 'bytes',
    of: 'a file that code reads in a folder outside of the environment',
    reason: 'as large as a file of data may be; each is recorded',
    beyond: 'it is not there for code',
  },
  atOnce: {
    bound: 32,
    unit: 'at once',
    of: 'questions to DNS and HTTP of all threads',
    reason: 'no more threads than that compile, and one asks one thing at a time',
    beyond: 'they wait in turn',
  },
  remembered: {
    bound: 32 * MiB,
    unit: 'characters',
    of: 'answers of DNS and HTTP that hold for a time, in one process',
    reason: 'some ten thousand names, and a few pages',
    beyond: 'the one that was not used for the longest time is asked for again',
  },
  answerTtl: {
    bound: 3_600_000,
    unit: 'ms',
    of: 'the time for which an answer of DNS or HTTP is given again, whatever it says itself',
    reason: 'what changed has to be seen on the same day',
    beyond: 'it is asked for again',
  },
} as const satisfies Budgets
