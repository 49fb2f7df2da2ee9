/** Severity of a finding. An error means that a feature does not work, or will not work when it is used. */
export type DoctorSeverity = 'error' | 'warning'

/** A problem found on this machine. */
export interface DoctorFinding {
  readonly check: string
  readonly code: string
  readonly severity: DoctorSeverity
  readonly what: string
  readonly why: string
  /** The remedy, with a command if a command can fix the problem. */
  readonly fix: string
}

/** Texts about a kind of problem: its description, its effect, and the remedy. */
interface Fault<Arguments> {
  readonly severity: DoctorSeverity
  what(a: Arguments): string
  readonly why: string
  fix(a: Arguments): string
}

/** Defines the faults of a check, by code. Each becomes a function from its arguments to a finding. */
// biome-ignore lint/suspicious/noExplicitAny: each fault has its own arguments
export function defineFaults<Faults extends Record<string, Fault<any>>>(check: string, faults: Faults) {
  const found = Object.entries(faults).map(([code, { severity, what, why, fix }]) => [
    code,
    (a: never): DoctorFinding => ({ check, code, severity, what: what(a), why, fix: fix(a) }),
  ])
  return Object.fromEntries(found) as {
    readonly [Code in keyof Faults]: (a: Parameters<Faults[Code]['what']>[0]) => DoctorFinding
  }
}
