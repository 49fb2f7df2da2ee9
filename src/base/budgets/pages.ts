import { createBudget, KiB, MiB } from './budget.ts'

/** Budgets of the console pages. */
// biome-ignore format: one line per budget
export const pageBudgets = {
  rows: createBudget(5000, 'items', 'rows of one store query for a page', 'the resources of a large catalog; pages show about fifty at a time', 'the page states that there are more'),
  answer: createBudget(16 * MiB, 'characters', 'the result of one store query for a page', 'five thousand resources with their parameters', 'the page states that there are more'),
  turn: createBudget(8, 'ms', 'time for reading rows without a pause', 'other requests must be answered meanwhile', 'reading continues in the next turn of the event loop'),
  offset: createBudget(100_000, 'items', 'the offset of a page in a list', 'the rows before it are read, too', 'the list ends there'),
  text: createBudget(16 * KiB, 'characters', 'one value, message or log line on a page', 'a settings file is smaller', 'the text is truncated, and its length is shown'),
  download: createBudget(1_000_000, 'items', 'rows of a download', 'all resources of two thousand nodes', 'the other rows are omitted'),
  signIn: createBudget(4 * KiB, 'bytes', 'the sign-in form', 'a token has some hundred characters', '413'),
}
