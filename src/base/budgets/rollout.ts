import { createBudget, KiB, MiB } from './budget.ts'

/** Budgets of rollouts: plans, queries, health checks and stored states. */
// biome-ignore format: one line per budget
export const rolloutBudgets = {
  file: createBudget(64 * KiB, 'characters', 'rollout.yaml of a commit, and the file of default_rollout', 'fifty waves with queries take about 20 KiB', 'the push is rejected with a reason'),
  waves: createBudget(50, 'items', 'waves of a rollout', 'a rollout has about four; each wave waits for reports', 'the push is rejected with a reason'),
  certnames: createBudget(1000, 'items', 'certnames and patterns of all waves', 'a query is better for more nodes', 'the push is rejected with a reason'),
  patternLength: createBudget(255, 'characters', 'a certname or a pattern of a wave', 'the maximum length of a certname', 'the push is rejected with a reason'),
  matchingSteps: createBudget(100_000_000, 'items', 'steps of matching the patterns of all waves with all nodes', '100,000 nodes and a hundred patterns take a tenth of it; all steps take two seconds, in slices', 'the rollout does not start, and the reason is reported'),
  query: createBudget(8 * KiB, 'characters', 'a PQL query or a Prometheus query of a rollout', 'a query with a list of two hundred certnames', 'the push is rejected with a reason'),
  queryTime: createBudget(30_000, 'ms', 'the time of a PQL query of a rollout or of `plumb run`', 'a query about 100,000 nodes takes a few seconds', 'the rollout or the runs do not start, or the condition has no value; the reason is reported'),
  queryRows: createBudget(200_000, 'items', 'rows of a PQL query of a rollout or of `plumb run`', 'twice the nodes of a large fleet; a query about resources has some rows for each node', 'the rollout or the runs do not start, or the condition has no value; the reason is reported'),
  groupPaths: createBudget(5, 'items', 'facts in `by` of a wave', 'the groups of each further fact are smaller', 'the push is rejected with a reason'),
  groupValue: createBudget(200, 'characters', 'the value of a fact in `by` of a wave', 'a name of a data center or a role', 'the value is truncated'),
  wait: createBudget(30, 'days', 'the time for which a wave is observed', 'a longer rollout never ends on an active branch', 'the push is rejected with a reason'),
  windows: createBudget(50, 'items', 'time windows of a rollout', 'one for each day and team', 'the push is rejected with a reason'),
  checks: createBudget(20, 'items', 'Prometheus and HTTP checks of a rollout, of each kind', 'each is repeated while a wave is observed', 'the push is rejected with a reason'),
  url: createBudget(2000, 'characters', 'the URL of a health check', 'servers accept URLs of 8 KiB', 'the push is rejected with a reason'),
  checkTime: createBudget(10_000, 'ms', 'a health check, from the DNS request to the last byte', 'a server answers within a second, or is down', 'the check has no result, which does not halt the rollout'),
  checkBody: createBudget(256 * KiB, 'bytes', 'the response to a health check', 'a Prometheus query returns some values', 'the check has no result, which does not halt the rollout'),
  checkItems: createBudget(20_000, 'items', 'values in the response to a Prometheus query', 'a thousand series with their labels', 'the check has no result, which does not halt the rollout'),
  count: createBudget(1_000_000, 'items', 'a number of nodes in a rollout, such as `minimum` or `max_at_once`', 'ten times the nodes of a large fleet', 'the push is rejected with a reason'),
  reportsAtOnce: createBudget(5000, 'items', 'reports read in one step of a rollout', 'ten thousand nodes send six reports a second', 'further reports are read by the next query'),
  document: createBudget(8 * MiB, 'characters', 'nodes of the waves and predicted changes of one rollout, as JSON', 'twenty thousand nodes take about 1 MiB', 'predicted changes are omitted'),
  history: createBudget(20, 'items', 'ended rollouts of an environment that are kept', 'a site pushes a few times a day; the audit log contains all of them', 'the oldest is removed'),
  steps: createBudget(200, 'items', 'steps recorded in a rollout: waves, approvals, halts', 'fifty waves with an approval each', 'further steps are only written to the audit log'),
  webhooksWaiting: createBudget(200, 'items', 'steps of rollouts that wait for delivery to webhooks', 'a rollout has about ten steps', 'the step is not sent, and a warning is logged'),
  webhookTime: createBudget(10_000, 'ms', 'the delivery of a step to a webhook', 'a server answers within a second, or is down', 'the delivery is tried again, four times in all'),
  webhookBody: createBudget(64 * KiB, 'bytes', 'the response of a webhook', 'its content is ignored', 'the delivery counts as failed'),
} as const
