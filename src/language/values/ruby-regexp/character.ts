import { propertyClass } from './properties.ts'
import type { Reader } from './reader.ts'

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, a: 7, e: 27 }

/** Insides of JavaScript classes for Ruby's short classes; `\w`, `\d` and `\s` know ASCII only. */
const shortClasses: Readonly<Record<string, string>> = {
  d: '0-9',
  h: '0-9a-fA-F',
  s: ' \\t\\r\\n\\f\\v',
  w: 'a-zA-Z0-9_',
}

/** A character as JavaScript reads it literally, in a class or outside, under flag `v`. */
export function literal(character: string): string {
  const code = character.codePointAt(0)!
  if (/^[A-Za-z0-9_]$/.test(character) || (code > 0x9f && code < 0xd800)) return character
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}

/** A character in whatever case, where the pattern as a whole does not ignore case. */
export function anyCase(character: string): string {
  const forms = new Set([character, character.toLowerCase(), character.toUpperCase()])
  return [...forms]
    .filter((form) => [...form].length === 1)
    .map(literal)
    .join('')
}

/** The character that an escape names, the backslash and the letter already taken; `undefined` when it is none. */
export function escapedCharacter(letter: string, reader: Reader): string | undefined {
  if (letter in controls) return String.fromCodePoint(controls[letter]!)
  switch (letter) {
    case 'x': {
      const digits = reader.match(/[0-9a-fA-F]{1,2}/y)
      return digits ? String.fromCodePoint(Number.parseInt(digits[0], 16)) : reader.fail('invalid hex escape')
    }
    case 'u': {
      const digits = reader.match(/\{\s*([0-9a-fA-F]{1,6})\s*\}|([0-9a-fA-F]{4})/y)
      if (!digits) return reader.fail('invalid Unicode escape')
      return String.fromCodePoint(Number.parseInt(digits[1] ?? digits[2]!, 16))
    }
    case 'c':
      return String.fromCodePoint(reader.next().codePointAt(0)! & 0x1f)
    case '0': {
      const digits = reader.match(/[0-7]{0,2}/y)
      return String.fromCodePoint(Number.parseInt(`0${digits?.[0] ?? ''}`, 8))
    }
    default:
      return /^[A-Za-z0-9]$/.test(letter) ? undefined : letter
  }
}

/** The class that an escape names, as the inside of a JavaScript class; `undefined` when it is none. */
export function escapedClass(letter: string, reader: Reader): string | undefined {
  const lower = letter.toLowerCase()
  if (lower in shortClasses) return letter === lower ? shortClasses[lower] : `[^${shortClasses[lower]}]`
  if (lower !== 'p') return undefined
  if (!reader.take('{')) return reader.fail('invalid character property name {p}')
  const name = reader.until('}', 'invalid character property name')
  const negated = name.startsWith('^') !== (letter === 'P')
  const inside = propertyClass(name.replace(/^\^/, ''))
  if (inside === undefined) return reader.fail(`invalid character property name {${name}}`)
  return negated ? `[^${inside}]` : inside
}
