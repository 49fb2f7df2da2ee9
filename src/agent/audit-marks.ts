import { randomBytes, scryptSync } from 'node:crypto'
import { display } from '../resources/display.ts'

/** What state.yaml keeps of an audited value that is not shown: whether it changed can be told, what it is cannot. */
type AuditMark = `{scrypt}${string}`

const saltBytes = 16

export function auditMark(value: unknown, salt = randomBytes(saltBytes).toString('hex')): AuditMark {
  return `{scrypt}${salt}${scryptSync(display(value), salt, 32).toString('hex')}`
}

export function isMark(recorded: unknown): recorded is AuditMark {
  return typeof recorded === 'string' && recorded.startsWith('{scrypt}')
}

/** Whether a value is the one that was recorded, as itself or as a mark. */
export function isAsRecorded(recorded: unknown, value: unknown): boolean {
  if (!isMark(recorded)) return display(recorded) === display(value)
  const start = '{scrypt}'.length
  return recorded === auditMark(value, recorded.slice(start, start + saltBytes * 2))
}
