import type { Budgets } from './budget.ts'

/** Budgets of plug-ins of the server's owner. */
export const plugIn = {
  time: {
    bound: 30_000,
    unit: 'ms',
    of: 'the answer of a terminus or of a report processor of the owner',
    reason: 'an agent waits for it',
    beyond: 'the request fails in words; the plug-in goes on, for nobody can stop it',
  },
} as const satisfies Budgets
