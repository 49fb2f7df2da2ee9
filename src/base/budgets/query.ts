import { budget, KiB, MiB } from './budget.ts'

/** Budgets of a query of the store. */
// biome-ignore format: one line per budget
export const query = {
  queryText: budget(4 * MiB, 'characters', 'a question to the store as JSON', 'a list of fifty thousand certnames is within', '400'),
  queryValues: budget(100_000, 'items', 'the values of a question as JSON, nested ones too', 'twenty-five thousand conditions, of which SQLite takes some more in a statement', '400'),
  queryDepth: budget(1_000, 'levels', 'the nesting of a JSON query', 'two hundred queries, each in the condition of another, are within', '400'),
  queryAlternations: budget(50, 'levels', "the conditions of 'and' inside of 'or' inside of 'and', and so on", 'the parser of SQLite 3.45 has a stack of 100 places; nesting without alternation takes none', '400'),
  filterDepth: budget(20, 'levels', "the nesting of an event count's `counts_filter`", 'SQLite parses it on a stack of 100 places', '400'),
  queryInnerRows: budget(200_000, 'items', 'rows of a deeply nested query, which is answered before the query around it', 'the certnames of a large fleet; most queries are not nested so deeply', '400'),
  queryParameters: budget(32_000, 'items', 'the values in the SQL statement of a query', 'SQLite takes 32,766, PostgreSQL 65,535; a list is a single value', '400'),
  queryColumns: budget(1_600, 'items', 'the columns that a query extracts', 'PostgreSQL takes 1,664, SQLite 2,000', '400'),
  pqlText: budget(256 * KiB, 'characters', 'a query in PQL', 'a list of five thousand certnames is within', '400'),
  pqlDepth: budget(250, 'levels', 'the nesting of a query in PQL', 'two hundred queries, each in the condition of another, are within', '400'),
  queryFormat: budget(1_000, 'characters', 'the format of `to_string` in a query', 'each row of the answer repeats the literal text of the format', '400'),
  asOfResources: budget(1_000_000, 'items', 'resources of catalogs of the past that one query reads', '2,000 nodes of 500 resources, none of which is as it was', '400; the query is to name fewer nodes'),
  asOfFactChanges: budget(500_000, 'items', 'changes of facts that one query goes back over', '2,000 nodes over five days of runs each half an hour', '400; the query is to name fewer nodes'),
  historyEntries: budget(1_000, 'items', 'entries of a node-history in one answer', 'each reads the catalog before it too', '400; the next ones by offset'),
}
