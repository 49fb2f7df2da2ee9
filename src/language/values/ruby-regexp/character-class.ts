import { anyCase, escapedCharacter, escapedClass, literal } from './character.ts'
import { posixClass } from './properties.ts'
import type { Reader } from './reader.ts'

/** A bracketed class, its `[` already taken, as a JavaScript class under flag `v`. */
export function readClass(reader: Reader, ignoreCase: boolean): string {
  const negated = reader.take('^')
  const intersected: string[] = []
  let inside = ''
  for (let first = true; ; first = false) {
    if (reader.done) reader.fail('premature end of char-class')
    if (reader.take(']')) {
      if (!first) break
      if (!reader.source.includes(']', reader.at)) reader.fail('empty char-class')
      inside += literal(']')
    } else if (reader.take('&&')) {
      intersected.push(`[${inside}]`)
      inside = ''
    } else inside += readItem(reader, ignoreCase)
  }
  if (intersected.length === 0) return `[${negated ? '^' : ''}${inside}]`
  return `[${negated ? '^' : ''}${[...intersected, `[${inside}]`].join('&&')}]`
}

function readItem(reader: Reader, ignoreCase: boolean): string {
  const posix = reader.match(/\[:(\^?)(\w+):\]/y)
  if (posix) {
    const inside = posixClass(posix[2]!)
    if (inside === undefined) return reader.fail('invalid POSIX bracket type')
    return posix[1] ? `[^${inside}]` : inside
  }
  if (reader.take('[')) return readClass(reader, ignoreCase)
  const first = readMember(reader)
  if (first.inside !== undefined) {
    if (/^-(?!\]|&&|\[)/.test(reader.source.slice(reader.at, reader.at + 3)))
      reader.fail('unmatched range specifier in char-class')
    return first.inside
  }
  const from = first.character
  const hyphen = reader.at
  if (reader.source.startsWith('-]', reader.at) || !reader.take('-')) return ignoreCase ? anyCase(from) : literal(from)
  if (reader.source[reader.at] === '[' || reader.source.startsWith('&&', reader.at)) {
    reader.at = hyphen
    return literal(from)
  }
  const last = readMember(reader)
  if (last.inside !== undefined) return `${literal(from)}\\-${last.inside}`
  if (from.codePointAt(0)! > last.character.codePointAt(0)!) return reader.fail('empty range in char class')
  return range(from, last.character, ignoreCase)
}

type Member = { readonly inside: string } | { readonly inside: undefined; readonly character: string }

function readMember(reader: Reader): Member {
  const character = reader.next()
  if (character !== '\\') return { inside: undefined, character }
  if (reader.done) return reader.fail('too short escape sequence')
  const letter = reader.next()
  if (letter === 'R' || letter === 'X') return { inside: undefined, character: letter }
  const inside = escapedClass(letter, reader)
  if (inside !== undefined) return { inside }
  if (letter === 'b') return { inside: undefined, character: '\b' }
  if (/[1-7]/.test(letter)) {
    const digits = letter + (reader.match(/[0-7]{0,2}/y)?.[0] ?? '')
    return { inside: undefined, character: String.fromCodePoint(Number.parseInt(digits, 8)) }
  }
  return { inside: undefined, character: escapedCharacter(letter, reader) ?? letter }
}

function range(from: string, to: string, ignoreCase: boolean): string {
  const plain = `${literal(from)}-${literal(to)}`
  if (!ignoreCase) return plain
  let letters = ''
  for (let code = from.codePointAt(0)!; code <= Math.min(to.codePointAt(0)!, 0x17f); code++) {
    const character = String.fromCodePoint(code)
    if (character.toLowerCase() !== character.toUpperCase()) letters += anyCase(character)
  }
  return plain + letters
}
