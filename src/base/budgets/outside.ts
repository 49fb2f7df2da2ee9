import { budget, MiB } from './budget.ts'

/** Budgets of what code may learn from outside while a catalog is compiled. */
// biome-ignore format: one line per budget
export const outside = {
  answers: budget(128 * MiB, 'characters', 'the answers from outside in one catalog: of the store, of programs, DNS and HTTP', 'they are held until the catalog is done, so that the same question has the same answer in it', 'the catalog fails in words'),
  questions: budget(10_000, 'items', 'different questions that one catalog asks outside', 'a list of a thousand hosts, each asked for a few kinds of records', 'the catalog fails in words'),
  question: budget(64 * 1024, 'characters', 'a question to DNS or HTTP: an address with its headers', 'servers take addresses of 8 KiB', 'it is refused, and code may go on without'),
  dnsTime: budget(10_000, 'ms', 'a question to DNS, with all its tries', 'a resolver answers within a second, or its server is away', 'there is no answer, as where Ruby gives up'),
  dnsRecords: budget(1000, 'items', 'the records of an answer of DNS', 'more than a message of 64 KiB has', 'it counts as no answer'),
  httpTime: budget(20_000, 'ms', 'a page that code reads by HTTP, from the first question for its name to its last byte', 'a thread stands still meanwhile, and an agent waits', 'it counts as no answer'),
  httpBody: budget(4 * MiB, 'bytes', 'a page that code reads by HTTP', 'as large as a file of data may be', 'it counts as no answer'),
  httpHeaders: budget(16 * 1024, 'bytes', 'the headers of such a page', 'what Node takes by itself', 'it counts as no answer'),
  file: budget(4 * MiB, 'bytes', 'a file that code reads in a folder outside of the environment', 'as large as a file of data may be; each is recorded', 'it is not there for code'),
  atOnce: budget(32, 'at once', 'questions to DNS and HTTP of all threads', 'no more threads than that compile, and one asks one thing at a time', 'they wait in turn'),
  remembered: budget(32 * MiB, 'characters', 'answers of DNS and HTTP that hold for a time, in one process', 'some ten thousand names, and a few pages', 'the one that was not used for the longest time is asked for again'),
  answerTtl: budget(3_600_000, 'ms', 'the time for which an answer of DNS or HTTP is given again, whatever it says itself', 'what changed has to be seen on the same day', 'it is asked for again'),
}
