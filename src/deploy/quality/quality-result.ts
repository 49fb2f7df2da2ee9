import { budgets } from '../../base/budgets/budgets.ts'
import type { Problem } from '../../workbench/lint/problem.ts'
import type { QualityAnswer, QualityProblem, ToolResult } from './quality-answer.ts'

/** Number of paths that a result contains for each tool. */
const mostPaths = 4

/** Characters of a message that a result contains; a name in an rc file may be longer. */
const mostMessageCharacters = 1000

interface Tally {
  errors: number
  warnings: number
  readonly paths: Set<string>
}

/** Collects the problems of a check. */
export class QualityResult {
  readonly #problems: QualityProblem[] = []
  readonly #lint: Tally = { errors: 0, warnings: 0, paths: new Set() }
  readonly #format: Tally = { errors: 0, warnings: 0, paths: new Set() }
  readonly unsupported: string[] = []
  unchecked = 0

  /** Adds a problem of the linter, unless a comment ignores it. */
  addProblem(path: string, { kind, check, message, line, column }: Problem): void {
    if (kind === 'error' || kind === 'warning')
      this.#add(this.#lint, {
        ...{ path, tool: 'lint', severity: kind, check, line, column },
        message: message.slice(0, mostMessageCharacters),
      })
  }

  addUnformatted(path: string): void {
    const message = 'the manifest is not formatted'
    this.#add(this.#format, { path, tool: 'format', severity: 'error', check: 'format', message, line: 1, column: 1 })
  }

  toAnswer(failOnWarnings: boolean): QualityAnswer {
    const toResult = ({ errors, warnings, paths }: Tally): ToolResult => ({
      ...{ errors, warnings, paths: [...paths] },
      isFailure: errors > 0 || (failOnWarnings && warnings > 0),
    })
    const { bound } = budgets.push.qualityProblems
    return {
      problems: this.#problems,
      lint: toResult(this.#lint),
      format: toResult(this.#format),
      unchecked: this.unchecked,
      unsupported: this.unsupported.slice(0, bound),
    }
  }

  #add(tally: Tally, problem: QualityProblem): void {
    if (problem.severity === 'error') tally.errors++
    else tally.warnings++
    if (tally.paths.size < mostPaths) tally.paths.add(problem.path)
    if (this.#problems.length < budgets.push.qualityProblems.bound) this.#problems.push(problem)
  }
}
