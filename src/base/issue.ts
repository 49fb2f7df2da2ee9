import { positionOf, type Span, textOfLine } from './source.ts'

/** Severities; only an error stops the work. */
export type Severity = 'error' | 'warning' | 'deprecation' | 'note'

/** One thing to tell: what, where, and what to do about it. Saying it is another matter. */
export interface Diagnostic {
  /** Puppet's issue code where Puppet has one, e.g. `UNKNOWN_VARIABLE`. */
  readonly code: string
  readonly severity: Severity
  /** Puppet's own words, without the place. */
  readonly message: string
  readonly span: Span | undefined
  readonly hint: string | undefined
  /** The one-line form names the file only, as Puppet does where it knows no line. */
  readonly wholeFile?: boolean
  /** True for a warning that is printed once per message, `line` for once per message, file and line. */
  readonly once?: boolean | 'line'
}

/** The words of one kind of issue. */
export interface IssueText<Arguments> {
  text(a: Arguments): string
  hint?(a: Arguments): string | undefined
}

/** One kind of issue, with its code. */
export interface Issue<Arguments> extends IssueText<Arguments> {
  readonly code: string
}

/** An issue as it is recognized. */
type Coded = Pick<Issue<never>, 'code'>

/** A catalogue of issues: each key becomes the code. */
// biome-ignore lint/suspicious/noExplicitAny: each issue has arguments of its own
export function defineIssues<Texts extends Record<string, IssueText<any>>>(texts: Texts) {
  const issues = Object.entries(texts).map(([code, text]) => [code, Object.freeze({ code, ...text })])
  return Object.freeze(Object.fromEntries(issues)) as {
    readonly [Code in keyof Texts]: Texts[Code] & { readonly code: string }
  }
}

/** The diagnostic of an issue. */
export function diagnose<Arguments>(
  issue: Issue<Arguments>,
  a: Arguments,
  span?: Span,
  severity: Severity = 'error',
): Diagnostic {
  return { code: issue.code, severity, message: issue.text(a), span, hint: issue.hint?.(a) }
}

/** An error of a user's code or input, as data. Other errors are bugs of ours. */
export class PuppetError extends Error {
  readonly diagnostic: Diagnostic

  constructor(diagnostic: Diagnostic, options?: ErrorOptions) {
    super(inOneLine(diagnostic), options)
    this.name = 'PuppetError'
    this.diagnostic = diagnostic
  }
}

/** The error of an issue, to be thrown or handed on. */
export function errorOf<Arguments>(issue: Issue<Arguments>, a: Arguments, span?: Span): PuppetError {
  return new PuppetError(diagnose(issue, a, span))
}

/** True for a diagnostic of one of these issues; codes are unique, and compared nowhere else. */
export function isOf({ code }: Diagnostic, ...issues: readonly Coded[]): boolean {
  return issues.some((issue) => issue.code === code)
}

/** True for an error of one of these issues. */
export function isIssue(error: PuppetError, ...issues: readonly Coded[]): boolean
export function isIssue(error: unknown, ...issues: readonly Coded[]): error is PuppetError
export function isIssue(error: unknown, ...issues: readonly Coded[]): boolean {
  return error instanceof PuppetError && isOf(error.diagnostic, ...issues)
}

/** True for an error of any issue of a catalogue. */
export function isIssueIn(error: unknown, catalogue: Readonly<Record<string, Coded>>): error is PuppetError {
  return isIssue(error, ...Object.values(catalogue))
}

/** Throws the issue; without a span, `locatedAt` of a caller adds one. */
export function fail<Arguments>(issue: Issue<Arguments>, a: Arguments, span?: Span): never {
  throw errorOf(issue, a, span)
}

/** Does `work`; an error that does not know where it happened, happened at `span`. */
export function locatedAt<Result>(span: Span, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (error instanceof PuppetError && !error.diagnostic.span)
      throw new PuppetError({ ...error.diagnostic, span }, { cause: error })
    throw error
  }
}

/** As Puppet words it in logs: `message (file: F, line: L, column: C)`. */
export function inOneLine({ message, span, wholeFile }: Diagnostic): string {
  if (!span) return message
  if (wholeFile) return span.source.file === undefined ? message : `${message} (file: ${span.source.file})`
  return `${message} ${placeOf(span)}`
}

/** A place as Puppet words it in logs: `(file: F, line: L, column: C)`. */
export function placeOf({ source, start }: Span): string {
  const { line, column } = positionOf(source, start)
  const file = source.file === undefined ? '' : `file: ${source.file}, `
  return `(${file}line: ${line}, column: ${column})`
}

/** For people: the message, the line with the place marked, the hint. */
export function inFrame(diagnostic: Diagnostic): string {
  const { severity, message, span, hint } = diagnostic
  const lines = [`${severity}: ${message}`]
  if (span) {
    const { line, column } = positionOf(span.source, span.start)
    const text = textOfLine(span.source, line)
    const margin = ' '.repeat(String(line).length)
    const width = Math.max(1, Math.min(span.end - span.start, text.length - column + 1))
    lines.push(`${margin}--> ${span.source.file ?? '<code>'}:${line}:${column}`)
    lines.push(`${line} | ${text}`)
    lines.push(`${margin} | ${' '.repeat(column - 1)}${'^'.repeat(width)}`)
  }
  if (hint) lines.push(`hint: ${hint}`)
  return lines.join('\n')
}
