import { createDiagnostic, type Diagnostic, defineIssues, hasIssueCode, PuppetError } from '../../../base/issue.ts'
import type { Source } from '../../../base/source.ts'

const issues = defineIssues({
  VALIDATION_GAVE_UP: {
    text: (a: { errors: number; warnings: number }) =>
      `Language validation logged ${a.errors} errors${a.warnings > 0 ? `, and ${a.warnings} warnings` : ''}. Giving up`,
  },
})

/**
 * Maximum number of errors reported for a file, and of warnings; Puppet's defaults for `max_errors` and `max_warnings`.
 */
const maxReported = 10

/** Error of a file: its only validation error, or a summary of several. */
export class ValidationError extends PuppetError {
  /**
   * Diagnostics to print before this error: all warnings, and all errors if there are several; limited to `maxReported`
   * each.
   */
  readonly said: readonly Diagnostic[]

  /** `before` contains the parser's warnings, which do not count toward the limit. */
  constructor(source: Source, found: readonly Diagnostic[], before: readonly Diagnostic[]) {
    const errors = found.filter(({ severity }) => severity === 'error')
    const warnings = found.filter(({ severity }) => severity !== 'error')
    const whole = { source, start: 0, end: 0 }
    const counts = { errors: errors.length, warnings: warnings.length }
    super(
      errors.length === 1
        ? errors[0]!
        : { ...createDiagnostic(issues.VALIDATION_GAVE_UP, counts, whole), wholeFile: true },
    )
    const several = errors.length === 1 ? [] : errors
    this.said = [...before, ...warnings.slice(0, maxReported), ...several.slice(0, maxReported)]
  }
}

/** True for an error that summarizes others. */
export function isSummary(diagnostic: Diagnostic): boolean {
  return hasIssueCode(diagnostic, issues.VALIDATION_GAVE_UP)
}

/** Returns the ValidationError among an error and its causes, if any. */
export function findValidationError(error: unknown): ValidationError | undefined {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof ValidationError) return each
  return undefined
}
