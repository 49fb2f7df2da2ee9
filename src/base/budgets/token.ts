import type { Budgets } from './budget.ts'

/** Budgets of tokens, by which administrators' tools ask without a certificate. */
export const token = {
  characters: {
    bound: 200,
    unit: 'characters',
    of: 'a header that may hold a token',
    reason: 'a token of ours has 66; what is longer is not looked at',
    beyond: '401, or as without one',
  },
  guesses: {
    bound: 10,
    unit: 'per minute',
    of: 'tokens from one address that are none',
    reason:
      'a tool with a token that was revoked asks in vain; one who guesses at 256 bits gets nowhere, and is noticed',
    beyond: '429, for a token too that has not been let in from there before',
  },
  kept: {
    bound: 1000,
    unit: 'items',
    of: 'tokens that a server knows',
    reason: 'each tool and each person has one or two',
    beyond: "'plumb token create' refuses",
  },
  description: {
    bound: 200,
    unit: 'characters',
    of: 'the description of a token',
    reason: 'it is a cell of a table',
    beyond: "'plumb token create' refuses",
  },
  lifeDays: {
    bound: 3650,
    unit: 'days',
    of: 'the life of a token that ends',
    reason: 'whoever means for ever says so',
    beyond: "'plumb token create' refuses",
  },
} as const satisfies Budgets
