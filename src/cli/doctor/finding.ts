/** Severities of a finding: an error keeps something from working, now or as soon as it is needed. */
export type Severity = 'error' | 'warning'

/** A fault that was found on this machine. */
export interface Finding {
  readonly check: string
  readonly code: string
  readonly severity: Severity
  readonly what: string
  readonly why: string
  /** A command where there is one. */
  readonly fix: string
}

/** A kind of fault in words: what is wrong, why it matters, what to do. */
interface Fault<Arguments> {
  readonly severity: Severity
  what(a: Arguments): string
  readonly why: string
  fix(a: Arguments): string
}

/** The faults of one check: each a function from what was seen to the finding. The keys are the codes. */
// biome-ignore lint/suspicious/noExplicitAny: each fault has arguments of its own
export function defineFaults<Faults extends Record<string, Fault<any>>>(check: string, faults: Faults) {
  const found = Object.entries(faults).map(([code, { severity, what, why, fix }]) => [
    code,
    (a: never): Finding => ({ check, code, severity, what: what(a), why, fix: fix(a) }),
  ])
  return Object.fromEntries(found) as {
    readonly [Code in keyof Faults]: (a: Parameters<Faults[Code]['what']>[0]) => Finding
  }
}
