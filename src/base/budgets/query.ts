import { type Budgets, KiB, MiB } from './budget.ts'

/** Budgets of a query of the store. */
export const query = {
  queryText: {
    bound: 4 * MiB,
    unit: 'characters',
    of: 'a question to the store as JSON',
    reason: 'a list of fifty thousand certnames is within',
    beyond: '400',
  },
  queryValues: {
    bound: 100_000,
    unit: 'items',
    of: 'the values of a question as JSON, nested ones too',
    reason: 'twenty-five thousand conditions, of which SQLite takes some more in a statement',
    beyond: '400',
  },
  pqlText: {
    bound: 256 * KiB,
    unit: 'characters',
    of: 'a query in PQL',
    reason: 'a list of five thousand certnames is within',
    beyond: '400',
  },
  pqlDepth: {
    bound: 100,
    unit: 'levels',
    of: 'the nesting of a query in PQL',
    reason: 'as for JSON, which asks the same',
    beyond: '400',
  },
  pqlExpectations: {
    bound: 50_000,
    unit: 'items',
    of: 'the steps of finding what may stand where a query in PQL is wrong',
    reason: 'one of a screen takes some thousands; it takes more than linear time, tens of milliseconds here',
    beyond: 'the message tells the place only',
  },
  asOfResources: {
    bound: 1_000_000,
    unit: 'items',
    of: 'resources of catalogs of the past that one query reads',
    reason: '2,000 nodes of 500 resources, none of which is as it was',
    beyond: '400; the query is to name fewer nodes',
  },
  asOfFactChanges: {
    bound: 500_000,
    unit: 'items',
    of: 'changes of facts that one query goes back over',
    reason: '2,000 nodes over five days of runs each half an hour',
    beyond: '400; the query is to name fewer nodes',
  },
  historyEntries: {
    bound: 1_000,
    unit: 'items',
    of: 'entries of a node-history in one answer',
    reason: 'each reads the catalog before it too',
    beyond: '400; the next ones by offset',
  },
} satisfies Budgets
