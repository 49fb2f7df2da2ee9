import { budget, KiB, MiB } from './budget.ts'

/** Budgets of the pages. */
// biome-ignore format: one line per budget
export const pages = {
  rows: budget(5000, 'items', 'the rows of one answer of the store that a page looks at', 'the resources of a large catalog; pages show some fifty of them at a time', 'the page says that there are more'),
  answer: budget(16 * MiB, 'characters', 'one answer of the store that a page looks at', 'five thousand resources with their parameters', 'the page says that there are more'),
  turn: budget(8, 'ms', 'the reading of rows without a pause', 'others want to be answered meanwhile', 'it goes on in the next turn'),
  offset: budget(100_000, 'items', 'the place in a list that a page begins at', 'the rows before it are read, too', 'the list ends there'),
  text: budget(16 * KiB, 'characters', 'one value, message or line of a log on a page', 'a file of settings is within', 'the rest is left out, and its length is said'),
  download: budget(1_000_000, 'items', 'the rows of a download', 'every resource of two thousand nodes', 'the rest is left out'),
  signIn: budget(4 * KiB, 'bytes', 'the form of a sign-in', 'a token has some hundred characters', '413'),
}
