import { randomBytes, scryptSync } from 'node:crypto'
import { formatLogValue } from '../../resources/value-format.ts'

/** The hash that state.yaml contains for a sensitive audited value: it reveals a change, but not the value. */
type AuditHash = `{scrypt}${string}`

const saltBytes = 16

/** The salted scrypt hash of a value. */
export function hashAuditedValue(value: unknown, salt = randomBytes(saltBytes).toString('hex')): AuditHash {
  return `{scrypt}${salt}${scryptSync(formatLogValue(value), salt, 32).toString('hex')}`
}

/** True if a recorded value is a scrypt hash. */
export function isAuditHash(recorded: unknown): recorded is AuditHash {
  return typeof recorded === 'string' && recorded.startsWith('{scrypt}')
}

/** True if a value equals the recorded value or matches the recorded scrypt hash. */
export function matchesRecordedValue(recorded: unknown, value: unknown): boolean {
  if (!isAuditHash(recorded)) return formatLogValue(recorded) === formatLogValue(value)
  const start = '{scrypt}'.length
  return recorded === hashAuditedValue(value, recorded.slice(start, start + saltBytes * 2))
}
