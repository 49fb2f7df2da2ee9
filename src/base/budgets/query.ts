import { createBudget, KiB, MiB } from './budget.ts'

/** Budgets of a store query. */
// biome-ignore format: one line per budget
export const queryBudgets = {
  queryText: createBudget(4 * MiB, 'characters', 'a store query in JSON', 'a list of fifty thousand certnames fits', '400'),
  queryValues: createBudget(100_000, 'items', 'values of a query in JSON, including nested ones', 'twenty-five thousand conditions, which is near the limit of an SQLite statement', '400'),
  queryDepth: createBudget(1_000, 'levels', 'nesting of a query in JSON', 'two hundred nested subqueries fit', '400'),
  queryAlternations: createBudget(50, 'levels', "alternations of 'and' inside 'or' inside 'and'", 'the parser of SQLite 3.45 has a stack of 100 entries; nesting without alternation needs none', '400'),
  filterDepth: createBudget(20, 'levels', 'nesting of `counts_filter` of event counts', 'SQLite parses it with a stack of 100 entries', '400'),
  queryInnerRows: createBudget(200_000, 'items', 'rows of a deeply nested query, which is evaluated before the query around it', 'the certnames of a large fleet; most queries are not nested so deeply', '400'),
  queryParameters: createBudget(32_000, 'items', 'values in the SQL statement of a query', 'SQLite accepts 32,766, PostgreSQL 65,535; a list is a single value', '400'),
  queryColumns: createBudget(1_600, 'items', 'columns extracted by a query', 'PostgreSQL accepts 1,664, SQLite 2,000', '400'),
  pqlText: createBudget(256 * KiB, 'characters', 'a query in PQL', 'a list of five thousand certnames fits', '400'),
  pqlDepth: createBudget(250, 'levels', 'nesting of a query in PQL', 'two hundred nested subqueries fit', '400'),
  queryFormat: createBudget(1_000, 'characters', 'the format of `to_string` in a query', 'each row repeats the literal text of the format', '400'),
  asOfResources: createBudget(1_000_000, 'items', 'resources of past catalogs read by one query', '2,000 nodes of 500 resources, all of them changed since', '400; the query must select fewer nodes'),
  asOfFactChanges: createBudget(500_000, 'items', 'fact changes reverted by one query', '2,000 nodes over five days with a run every half hour', '400; the query must select fewer nodes'),
  historyEntries: createBudget(1_000, 'items', 'entries of a node history in one answer', 'each entry also reads the catalog before it', '400; `offset` selects the next entries'),
}
