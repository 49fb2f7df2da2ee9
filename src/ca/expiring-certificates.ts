import type { CertificateStatus } from './certificate-status.ts'
import { parseInventoryTime } from './inventory.ts'

/** The validity period of a certificate or list. */
export interface ValidityPeriod {
  readonly notBefore: Date
  readonly notAfter: Date
}

/** Number of node certificates that expire soon, and the first of them to expire. */
export interface ExpiringNodes {
  readonly count: number
  /** The certificate with the earliest expiration. */
  readonly first?: { readonly name: string; readonly notAfter: Date }
}

/** Milliseconds before expiration at which warnings begin: 60 days. */
const warnedBeforeMs = 60 * 86_400_000
/**
 * Fraction of the lifetime before expiration at which warnings begin, for lifetimes of less than
 * 240 days.
 */
const warnedPart = 1 / 4

/**
 * Returns true after expiration, and before it in the last 60 days or the last quarter of the lifetime, whichever is
 * shorter.
 */
export function isExpiring({ notBefore, notAfter }: ValidityPeriod, now: Date): boolean {
  const life = notAfter.getTime() - notBefore.getTime()
  return notAfter.getTime() - now.getTime() < Math.min(warnedBeforeMs, life * warnedPart)
}

/** Counts signed certificates that expire soon and are not revoked; skips the certname `except`. */
export async function countExpiringNodes(
  slices: AsyncIterable<readonly CertificateStatus[]>,
  now: Date,
  except: string,
): Promise<ExpiringNodes> {
  let found: ExpiringNodes = { count: 0 }
  for await (const statuses of slices)
    for (const { name, not_before: from, not_after: to } of statuses) {
      if (name === except || from === undefined || to === undefined) continue
      const span = { notBefore: parseInventoryTime(from), notAfter: parseInventoryTime(to) }
      if (span.notAfter < now || !isExpiring(span, now)) continue
      const isFirst = found.first === undefined || span.notAfter < found.first.notAfter
      found = { count: found.count + 1, first: isFirst ? { name, notAfter: span.notAfter } : found.first! }
    }
  return found
}
