import { createBudget } from './budget.ts'

/** Budgets of tokens, with which administrators' tools authenticate instead of a certificate. */
// biome-ignore format: one line per budget
export const tokenBudgets = {
  characters: createBudget(200, 'characters', 'a header that may contain a token', 'our tokens have 66 characters; longer headers are not checked', '401, or as without a token'),
  guesses: createBudget(10, 'per minute', 'requests from one address with an unknown token', 'a tool with a revoked token sends a few; tokens of 256 bits cannot be guessed, and attempts are noticed', '429, also for a valid token that was not used from this address before'),
  kept: createBudget(1000, 'items', 'tokens of a server', 'each tool and each person has one or two', '`plumb token create` fails with a reason'),
  description: createBudget(200, 'characters', 'the description of a token', 'one cell of a table', '`plumb token create` fails with a reason'),
  lifeDays: createBudget(3650, 'days', 'lifetime of a token with an expiry', 'a token without an expiry is requested explicitly', '`plumb token create` fails with a reason'),
}
