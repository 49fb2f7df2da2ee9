import { budgets } from '../../base/budgets/budgets.ts'

/** Label for environments above the limit. */
const others = 'other'

/**
 * Maps environment names to metric labels: a limited number of names, and one label for all others.
 */
export class EnvironmentLabels {
  readonly #known = new Set<string>()

  of(environment: string): string {
    if (this.#known.has(environment)) return environment
    if (this.#known.size >= budgets.telemetry.environments.bound) return others
    this.#known.add(environment)
    return environment
  }

  /** Frees the label of a removed environment. */
  forget(environment: string): void {
    this.#known.delete(environment)
  }
}
