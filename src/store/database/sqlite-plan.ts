/** A row of SQLite's `explain query plan`. */
export interface PlanStep {
  readonly id: number
  readonly parent: number
  readonly detail: string
}

/**
 * Formats the plan of a query as JSON like PostgreSQL's `explain`. The type of a plan node is
 * SQLite's description of the step.
 */
export function formatPlan(steps: readonly PlanStep[]): string {
  const buildChildPlans = (parent: number): object[] =>
    steps
      .filter((step) => step.parent === parent)
      .map(({ id, detail }) => ({ 'Node Type': detail, ...wrapPlans(buildChildPlans(id)) }))
  return JSON.stringify([{ Plan: { 'Node Type': 'SQLite', ...wrapPlans(buildChildPlans(0)) } }])
}

function wrapPlans(plans: readonly object[]): object {
  return plans.length === 0 ? {} : { Plans: plans }
}
