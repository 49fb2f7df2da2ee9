import { randomBytes, scryptSync } from 'node:crypto'
import { display } from '../resources/display.ts'

/** The hash that state.yaml contains for a sensitive audited value: it reveals a change, but not the value. */
type AuditMark = `{scrypt}${string}`

const saltBytes = 16

/** The salted scrypt hash of a value. */
export function auditMark(value: unknown, salt = randomBytes(saltBytes).toString('hex')): AuditMark {
  return `{scrypt}${salt}${scryptSync(display(value), salt, 32).toString('hex')}`
}

/** True if a recorded value is a scrypt hash. */
export function isMark(recorded: unknown): recorded is AuditMark {
  return typeof recorded === 'string' && recorded.startsWith('{scrypt}')
}

/** True if a value equals the recorded value or matches the recorded scrypt hash. */
export function isAsRecorded(recorded: unknown, value: unknown): boolean {
  if (!isMark(recorded)) return display(recorded) === display(value)
  const start = '{scrypt}'.length
  return recorded === auditMark(value, recorded.slice(start, start + saltBytes * 2))
}
