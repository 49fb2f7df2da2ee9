import { budget } from './budget.ts'

/** Budgets of tokens, by which administrators' tools ask without a certificate. */
// biome-ignore format: one line per budget
export const token = {
  characters: budget(200, 'characters', 'a header that may hold a token', 'a token of ours has 66; what is longer is not looked at', '401, or as without one'),
  guesses: budget(10, 'per minute', 'tokens from one address that are none', 'a tool with a token that was revoked asks in vain; one who guesses at 256 bits gets nowhere, and is noticed', '429, for a token too that has not been let in from there before'),
  kept: budget(1000, 'items', 'tokens that a server knows', 'each tool and each person has one or two', "'plumb token create' refuses"),
  description: budget(200, 'characters', 'the description of a token', 'it is a cell of a table', "'plumb token create' refuses"),
  lifeDays: budget(3650, 'days', 'the life of a token that ends', 'whoever means for ever says so', "'plumb token create' refuses"),
}
