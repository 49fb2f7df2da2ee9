import { budgets } from '../../../base/budgets/budgets.ts'
import { SyntaxFault } from './syntax-fault.ts'

/** Counts the tokens that the checks of a manifest read. */
export interface Meter {
  /** Throws SyntaxFault above the limit. */
  spend(steps: number): void
}

/** Creates the meter of a manifest. */
export function createMeter(): Meter {
  let left = budgets.lint.steps.bound
  return {
    spend(steps) {
      left -= steps
      if (left < 0) throw new SyntaxFault({ line: 1, column: 1 }, 'The manifest is nested too deeply to be checked')
    },
  }
}
