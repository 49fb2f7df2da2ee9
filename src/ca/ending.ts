import { inventoryTime } from './inventory.ts'
import type { CertificateStatus } from './status.ts'

/** The time in which a certificate or a list is good. */
export interface Span {
  readonly notBefore: Date
  readonly notAfter: Date
}

/** Certificates of nodes that soon end. */
export interface EndingNodes {
  readonly count: number
  /** The one that ends first. */
  readonly first?: { readonly name: string; readonly notAfter: Date }
}

/** Milliseconds before its end at which there is a warning of a certificate: 60 days. */
const warnedBeforeMs = 60 * 86_400_000
/** The last part of its life in which there is a warning of what is good for less than 240 days. */
const warnedPart = 1 / 4

/** True in the last 60 days of a certificate, or in the last quarter of a shorter life, and after its end. */
export function isEnding({ notBefore, notAfter }: Span, now: Date): boolean {
  const life = notAfter.getTime() - notBefore.getTime()
  return notAfter.getTime() - now.getTime() < Math.min(warnedBeforeMs, life * warnedPart)
}

/** Certificates that soon end and have not ended, of all that is signed and not revoked; `except` is a certname. */
export async function endingNodes(
  slices: AsyncIterable<readonly CertificateStatus[]>,
  now: Date,
  except: string,
): Promise<EndingNodes> {
  let found: EndingNodes = { count: 0 }
  for await (const statuses of slices)
    for (const { name, not_before: from, not_after: to } of statuses) {
      if (name === except || from === undefined || to === undefined) continue
      const span = { notBefore: inventoryTime(from), notAfter: inventoryTime(to) }
      if (span.notAfter < now || !isEnding(span, now)) continue
      const isFirst = found.first === undefined || span.notAfter < found.first.notAfter
      found = { count: found.count + 1, first: isFirst ? { name, notAfter: span.notAfter } : found.first! }
    }
  return found
}
