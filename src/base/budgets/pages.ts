import { type Budgets, KiB, MiB } from './budget.ts'

/** Budgets of the pages. */
export const pages = {
  rows: {
    bound: 5000,
    unit: 'items',
    of: 'the rows of one answer of the store that a page looks at',
    reason: 'the resources of a large catalog; pages show some fifty of them at a time',
    beyond: 'the page says that there are more',
  },
  answer: {
    bound: 16 * MiB,
    unit: 'characters',
    of: 'one answer of the store that a page looks at',
    reason: 'five thousand resources with their parameters',
    beyond: 'the page says that there are more',
  },
  turn: {
    bound: 8,
    unit: 'ms',
    of: 'the reading of rows without a pause',
    reason: 'others want to be answered meanwhile',
    beyond: 'it goes on in the next turn',
  },
  offset: {
    bound: 100_000,
    unit: 'items',
    of: 'the place in a list that a page begins at',
    reason: 'the rows before it are read, too',
    beyond: 'the list ends there',
  },
  text: {
    bound: 16 * KiB,
    unit: 'characters',
    of: 'one value, message or line of a log on a page',
    reason: 'a file of settings is within',
    beyond: 'the rest is left out, and its length is said',
  },
  download: {
    bound: 1_000_000,
    unit: 'items',
    of: 'the rows of a download',
    reason: 'every resource of two thousand nodes',
    beyond: 'the rest is left out',
  },
  signIn: {
    bound: 4 * KiB,
    unit: 'bytes',
    of: 'the form of a sign-in',
    reason: 'a token has some hundred characters',
    beyond: '413',
  },
} as const satisfies Budgets
