import { throwIssue } from '../../base/issue.ts'
import { getRubyClassName } from '../../language/types/ruby-class.ts'
import { type AttributeKind, inspectPlainValue } from './attribute-kinds.ts'
import { failWithMessage, issues } from './issues.ts'

const octal = /^0?[0-7]{1,4}$/
const symbolic = /^[ugoa]*[-=+][-=+rstwxXugo]*(?:,[ugoa]*[-=+][-=+rstwxXugo]*)*$/

/** A file mode: at least four octal digits, or symbolic, such as `u=rw,go=r`. */
export const mode: AttributeKind<string> = {
  parse(value) {
    if (typeof value !== 'string') {
      return throwIssue(issues.MODE_NOT_TEXT, { kind: getRubyClassName(value) })
    }
    if (octal.test(value)) return formatOctalMode(Number.parseInt(value, 8))
    if (!symbolic.test(value)) throwIssue(issues.INVALID_MODE, { value: inspectPlainValue(value) })
    return value
  },
}

/** Permission bits in Puppet's notation: `0644`. */
export function formatOctalMode(bits: number): string {
  return bits.toString(8).padStart(4, '0')
}

const permissions: Readonly<Record<string, number>> = { r: 4, w: 2, x: 1 }
const shifts = { u: 6, g: 3, o: 0 } as const
type Who = keyof typeof shifts

/** The permission bits of a mode, applied to the current bits. */
export function computeModeBits(wanted: string, current: number, isDirectory: boolean): number {
  if (/^[0-7]+$/.test(wanted)) return Number.parseInt(wanted, 8)
  const part = { s: current >> 9, u: (current >> 6) & 7, g: (current >> 3) & 7, o: current & 7 }
  const anyExecute = (current & 0o111) !== 0
  for (const clause of wanted.split(',')) {
    const [, to = '', actions = ''] = /^([ugoa]*)(.*)$/s.exec(clause.trim()) ?? []
    const before = { ...part }
    for (const who of new Set((to || 'a').replaceAll('a', 'ugo')) as Set<Who>) {
      let value = before[who]
      let operator = '+'
      const apply = (old: number, bits: number) => (operator === '-' ? old & ~bits : old | bits)
      for (const sign of actions) {
        if (sign === '-' || sign === '+' || sign === '=') {
          operator = sign
          if (sign === '=') value = 0
        } else if (sign in permissions) value = apply(value, permissions[sign]!)
        else if (sign in shifts) value = apply(value, before[sign as Who])
        else if (sign === 'X') {
          if (operator !== '+') rejectConditionalExecute(clause, wanted)
          if (isDirectory || anyExecute) value = apply(value, 1)
        } else part.s = apply(part.s, getSpecialBit(sign, who))
      }
      part[who] = value
    }
  }
  return (part.s << 9) | (part.u << 6) | (part.g << 3) | part.o
}

function rejectConditionalExecute(clause: string, wanted: string): never {
  const place = clause === wanted ? '' : ` at ${inspectPlainValue(clause)}`
  return failWithMessage(`X only works with the '+' operator${place} in symbolic mode ${inspectPlainValue(wanted)}`)
}

function getSpecialBit(sign: string, who: Who): number {
  if (sign === 't' || who === 'o') return 1
  return who === 'u' ? 4 : 2
}

/** Adds an `x` to each `r` of an octal mode, because a readable directory is useless without search permission. */
export function toDirectoryMode(wanted: string): string {
  if (!/^\d+$/.test(wanted)) return wanted
  const bits = Number.parseInt(wanted, 8)
  return formatOctalMode(bits | ((bits & 0o444) >> 2))
}
