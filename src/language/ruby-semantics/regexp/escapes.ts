import { type CharacterSet, complement } from './character-set.ts'
import { propertyClass, shortClass } from './properties.ts'
import type { Reader } from './reader.ts'

const controls: Readonly<Record<string, string>> = {
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  a: '\x07',
  e: '\x1b',
}

/** Character of an escape sequence, after its backslash and `letter` were read. */
export function escapedCharacter(letter: string, reader: Reader): string {
  if (Object.hasOwn(controls, letter)) return controls[letter]!
  if (letter === 'x') return character(reader, /([0-9a-fA-F]{1,2})/y, 16, 0x7f)
  if (letter === 'u') return character(reader, /\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4})/y, 16, 0x10ffff)
  if (letter === '0') return character(reader, /([0-7]{0,2})/y, 8, 0x7f)
  return /^[\x20-\x7e\n\t]$/.test(letter) && !/\w/.test(letter) ? letter : reader.giveUp()
}

/** Character set of an escape such as `\w` or `\p{Alpha}`. */
export function escapedSet(letter: string, reader: Reader): CharacterSet | undefined {
  if (letter !== 'p' && letter !== 'P') return shortClass(letter)
  const name = reader.match(/\{(\^?)([A-Za-z]+)\}/y) ?? reader.giveUp()
  const set = propertyClass(name[2]!) ?? reader.giveUp()
  return (name[1] === '^') === (letter === 'p') ? complement(set) : set
}

function character(reader: Reader, digits: RegExp, base: number, largest: number): string {
  const found = reader.match(digits) ?? reader.giveUp()
  const code = Number.parseInt(`0${found[1] ?? found[2]}`, base)
  if (code > largest || (code >= 0xd800 && code <= 0xdfff)) reader.giveUp()
  return String.fromCodePoint(code)
}
