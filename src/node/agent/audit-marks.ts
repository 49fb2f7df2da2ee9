import { randomBytes, scryptSync } from 'node:crypto'
import { display } from '../resources/display.ts'

/** The mark in state.yaml of an audited value that is not shown: the mark tells of a change, but not the value. */
type AuditMark = `{scrypt}${string}`

const saltBytes = 16

/** The mark of a value: its scrypt digest with its salt. */
export function auditMark(value: unknown, salt = randomBytes(saltBytes).toString('hex')): AuditMark {
  return `{scrypt}${salt}${scryptSync(display(value), salt, 32).toString('hex')}`
}

/** True of a recorded value that is a mark. */
export function isMark(recorded: unknown): recorded is AuditMark {
  return typeof recorded === 'string' && recorded.startsWith('{scrypt}')
}

/** True for a value equal to the recorded value, which is recorded as itself or as a mark. */
export function isAsRecorded(recorded: unknown, value: unknown): boolean {
  if (!isMark(recorded)) return display(recorded) === display(value)
  const start = '{scrypt}'.length
  return recorded === auditMark(value, recorded.slice(start, start + saltBytes * 2))
}
