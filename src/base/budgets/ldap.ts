import { createBudget } from './budget.ts'

/** Budgets of the LDAP directory of nodes. */
// biome-ignore format: one line per budget
export const ldapBudgets = {
  time: createBudget(10_000, 'ms', 'connecting to the directory, and each of its answers', 'an agent waits for it; a directory answers in milliseconds', 'the node is not found: its agent gets an error and applies its cached catalog'),
}
