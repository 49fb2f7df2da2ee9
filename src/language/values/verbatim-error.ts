import { createDiagnostic, type Issue, PuppetError } from '../../base/issue.ts'

/**
 * Error that is reported without the caller's location: a syntax error, or an error whose message already contains a
 * location.
 */
export class VerbatimError extends PuppetError {}

/** Throws an issue that is reported without the caller's location. */
export function failWithoutLocation<Arguments>(issue: Issue<Arguments>, a: Arguments): never {
  throw new VerbatimError(createDiagnostic(issue, a))
}
