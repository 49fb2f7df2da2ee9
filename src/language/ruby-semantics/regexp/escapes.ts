import { type CharacterSet, complementSet } from './character-set.ts'
import { getPropertyClass, getShortClass } from './properties.ts'
import type { PatternReader } from './reader.ts'

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
export function readEscapedCharacter(letter: string, reader: PatternReader): string {
  if (Object.hasOwn(controls, letter)) return controls[letter]!
  if (letter === 'x') return readCodePoint(reader, /([0-9a-fA-F]{1,2})/y, 16, 0x7f)
  if (letter === 'u') return readCodePoint(reader, /\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4})/y, 16, 0x10ffff)
  if (letter === '0') return readCodePoint(reader, /([0-7]{0,2})/y, 8, 0x7f)
  return /^[\x20-\x7e\n\t]$/.test(letter) && !/\w/.test(letter) ? letter : reader.giveUp()
}

/** Character set of an escape such as `\w` or `\p{Alpha}`. */
export function readEscapedSet(letter: string, reader: PatternReader): CharacterSet | undefined {
  if (letter !== 'p' && letter !== 'P') return getShortClass(letter)
  const name = reader.match(/\{(\^?)([A-Za-z]+)\}/y) ?? reader.giveUp()
  const set = getPropertyClass(name[2]!) ?? reader.giveUp()
  return (name[1] === '^') === (letter === 'p') ? complementSet(set) : set
}

function readCodePoint(reader: PatternReader, digits: RegExp, base: number, largest: number): string {
  const found = reader.match(digits) ?? reader.giveUp()
  const code = Number.parseInt(`0${found[1] ?? found[2]}`, base)
  if (code > largest || (code >= 0xd800 && code <= 0xdfff)) reader.giveUp()
  return String.fromCodePoint(code)
}
