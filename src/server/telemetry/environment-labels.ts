import { budgets } from '../../base/budgets/budgets.ts'

/** The label of environments beyond the bound. */
const others = 'other'

/** Names of environments as labels of figures: so many one by one, and all others as one. */
export class EnvironmentLabels {
  readonly #known = new Set<string>()

  of(environment: string): string {
    if (this.#known.has(environment)) return environment
    if (this.#known.size >= budgets.telemetry.environments.bound) return others
    this.#known.add(environment)
    return environment
  }

  /** Makes room again for another one: an environment is gone. */
  forget(environment: string): void {
    this.#known.delete(environment)
  }
}
