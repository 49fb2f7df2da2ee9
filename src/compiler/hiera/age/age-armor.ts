import { throwIssue } from '../../../base/issue.ts'
import { ageIssues } from './issues.ts'

const begin = '-----BEGIN AGE ENCRYPTED FILE-----'
const end = '-----END AGE ENCRYPTED FILE-----'
const columns = 64

/** Decodes an armored age file: strict PEM, with white space only before and after. Throws AGE_ARMOR. */
export function decodeAgeArmor(text: string): Buffer {
  const lines = text.trim().split(/\r?\n/)
  if (lines[0] !== begin) return failArmor('its first line is wrong')
  if (lines.length < 2 || lines.at(-1) !== end) return failArmor('its last line is wrong')
  const body = lines.slice(1, -1)
  const last = body.pop() ?? ''
  if (body.some((line) => line.length !== columns)) return failArmor('a line is too long or too short')
  if (last.length === 0 || last.length > columns) return failArmor('the last line of its data is too long or empty')
  const base64 = `${body.join('')}${last}`
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 ? bytes : failArmor('its base64 is wrong')
}

function failArmor(why: string): never {
  return throwIssue(ageIssues.AGE_ARMOR, { why })
}
