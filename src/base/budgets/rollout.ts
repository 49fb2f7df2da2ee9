import { createBudget, MiB } from './budget.ts'

/** Budgets of rollouts. */
// biome-ignore format: one line per budget
export const rolloutBudgets = {
  reportsAtOnce: createBudget(5000, 'items', 'reports read in one step of a rollout', 'ten thousand nodes send six reports a second', 'further reports are read in the next step'),
  rowTime: createBudget(10_000, 'ms', 'the time for reading or changing the state of a rollout in the store', 'each is one row; the store may be writing a large catalog', 'the step is tried again'),
  document: createBudget(8 * MiB, 'characters', 'nodes of the waves and predicted changes of one rollout, as JSON', 'twenty thousand nodes take about 1 MiB', 'predicted changes are omitted'),
  history: createBudget(20, 'items', 'ended rollouts of an environment that are kept', 'a site pushes a few times a day; the audit log contains all of them', 'the oldest is removed'),
  steps: createBudget(200, 'items', 'steps recorded in a rollout: waves, approvals, halts', 'fifty waves with an approval each', 'further steps are only written to the audit log'),
} as const
