import type { Budgets } from './budget.ts'

/** Budgets of an LDAP directory that is asked about nodes. */
export const ldap = {
  time: {
    bound: 10_000,
    unit: 'ms',
    of: 'connecting to the directory, and each of its answers',
    reason: 'an agent waits for it; a directory answers in milliseconds',
    beyond: 'the node is not found: its agent gets an error and applies its last catalog',
  },
} as const satisfies Budgets
