import { diagnose, type Issue, PuppetError } from '../../base/issue.ts'

/** An error that is said as it is: a syntax error, or one that has its place in its words. */
export class VerbatimError extends PuppetError {}

/** Throws an issue that is said as it is, without the place of the code that led to it. */
export function failVerbatim<Arguments>(issue: Issue<Arguments>, a: Arguments): never {
  throw new VerbatimError(diagnose(issue, a))
}
