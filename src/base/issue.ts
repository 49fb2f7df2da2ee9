import { getLineAndColumn, getLineText, type SourceSpan } from './source.ts'

/** Severity of a diagnostic. Only an `error` aborts the operation. */
export type Severity = 'error' | 'warning' | 'deprecation' | 'note'

/** A message for the user, with its location and a hint. The caller prints the message. */
export interface Diagnostic {
  /** Puppet's issue code where Puppet has one, e.g. `UNKNOWN_VARIABLE`. */
  readonly code: string
  readonly severity: Severity
  /** Puppet's message, without the location. */
  readonly message: string
  readonly span: SourceSpan | undefined
  readonly hint: string | undefined
  /** True if the one-line form names only the file, as in Puppet when the line is unknown. */
  readonly wholeFile?: boolean
  /** True to print a warning once per message; `line` to print it once per message, file and line. */
  readonly once?: boolean | 'line'
}

/** Functions that create the message and the hint of an issue. */
export interface IssueText<Arguments> {
  text(a: Arguments): string
  hint?(a: Arguments): string | undefined
}

/** A kind of issue: its code, and the functions that create its texts. */
export interface Issue<Arguments> extends IssueText<Arguments> {
  readonly code: string
}

/** The code, which identifies an issue. */
type Coded = Pick<Issue<never>, 'code'>

/** Defines a catalog of issues. The key of each issue becomes its code. */
// biome-ignore lint/suspicious/noExplicitAny: each issue has arguments of its own
export function defineIssues<Texts extends Record<string, IssueText<any>>>(texts: Texts) {
  const issues = Object.entries(texts).map(([code, text]) => [code, Object.freeze({ code, ...text })])
  return Object.freeze(Object.fromEntries(issues)) as {
    readonly [Code in keyof Texts]: Texts[Code] & { readonly code: string }
  }
}

/** Creates a diagnostic from an issue and its arguments. */
export function createDiagnostic<Arguments>(
  issue: Issue<Arguments>,
  a: Arguments,
  span?: SourceSpan,
  severity: Severity = 'error',
): Diagnostic {
  return { code: issue.code, severity, message: issue.text(a), span, hint: issue.hint?.(a) }
}

/** An error in a user's code or input. Other errors are bugs in this program. */
export class PuppetError extends Error {
  readonly diagnostic: Diagnostic

  constructor(diagnostic: Diagnostic, options?: ErrorOptions) {
    super(formatDiagnosticLine(diagnostic), options)
    this.name = 'PuppetError'
    this.diagnostic = diagnostic
  }
}

/** Creates the error for an issue without throwing it. */
export function createPuppetError<Arguments>(issue: Issue<Arguments>, a: Arguments, span?: SourceSpan): PuppetError {
  return new PuppetError(createDiagnostic(issue, a, span))
}

/** True if the diagnostic has the code of one of these issues. Codes are unique; only this function compares them. */
export function hasIssueCode({ code }: Diagnostic, ...issues: readonly Coded[]): boolean {
  return issues.some((issue) => issue.code === code)
}

/** True if the error has the code of one of these issues. */
export function isIssue(error: PuppetError, ...issues: readonly Coded[]): boolean
export function isIssue(error: unknown, ...issues: readonly Coded[]): error is PuppetError
export function isIssue(error: unknown, ...issues: readonly Coded[]): boolean {
  return error instanceof PuppetError && hasIssueCode(error.diagnostic, ...issues)
}

/** True if the error has the code of any issue in the catalog. */
export function isCatalogIssue(error: unknown, catalogue: Readonly<Record<string, Coded>>): error is PuppetError {
  return isIssue(error, ...Object.values(catalogue))
}

/** Throws the error for an issue. If `span` is missing, `attachErrorSpan` in a caller may add it. */
export function throwIssue<Arguments>(issue: Issue<Arguments>, a: Arguments, span?: SourceSpan): never {
  throw createPuppetError(issue, a, span)
}

/** Runs `work`; adds `span` to an error without a span. */
export function attachErrorSpan<Result>(span: SourceSpan, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof PuppetError && !error.diagnostic.span)
      throw new PuppetError({ ...error.diagnostic, span }, { cause: error })
    throw error
  }
}

/** One-line form, as in Puppet's logs: `message (file: F, line: L, column: C)`. */
export function formatDiagnosticLine({ message, span, wholeFile }: Diagnostic): string {
  if (!span) return message
  if (wholeFile) return span.source.file === undefined ? message : `${message} (file: ${span.source.file})`
  return `${message} ${formatSourceLocation(span)}`
}

/** Formats a location as in Puppet's logs: `(file: F, line: L, column: C)`. */
export function formatSourceLocation({ source, start }: SourceSpan): string {
  const { line, column } = getLineAndColumn(source, start)
  const file = source.file === undefined ? '' : `file: ${source.file}, `
  return `(${file}line: ${line}, column: ${column})`
}

/** Multi-line form: the message, the source line with a marker, and the hint. */
export function formatDiagnosticFrame(diagnostic: Diagnostic): string {
  const { severity, message, span, hint } = diagnostic
  const lines = [`${severity}: ${message}`]
  if (span) {
    const { line, column } = getLineAndColumn(span.source, span.start)
    const text = getLineText(span.source, line)
    const margin = ' '.repeat(String(line).length)
    const width = Math.max(1, Math.min(span.end - span.start, text.length - column + 1))
    lines.push(`${margin}--> ${span.source.file ?? '<code>'}:${line}:${column}`)
    lines.push(`${line} | ${text}`)
    lines.push(`${margin} | ${' '.repeat(column - 1)}${'^'.repeat(width)}`)
  }
  if (hint) lines.push(`hint: ${hint}`)
  return lines.join('\n')
}
