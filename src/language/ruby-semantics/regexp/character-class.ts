import {
  type CharacterSet,
  complementSet,
  createRangeSet,
  createSingleSet,
  intersectSets,
  uniteSets,
} from './character-set.ts'
import { readEscapedCharacter, readEscapedSet } from './escapes.ts'
import { getPosixClass } from './properties.ts'
import type { PatternReader } from './reader.ts'

/** A bracketed character class; `set` does not include the effect of `negated`. */
export interface CharacterClass {
  readonly set: CharacterSet
  readonly negated: boolean
  /** True if the class contains only ASCII characters. */
  readonly isAscii: boolean
}

type Item = { readonly set: CharacterSet; readonly isAscii: boolean; readonly character?: string }

/** Maximum nesting of classes. Ruby's engine handles patterns with deeper nesting. */
const deepest = 100

/**
 * Parses a bracketed class after its `[`. Rejects syntax for which Ruby prints a warning, because Ruby interprets
 * it in an unusual way; Ruby's engine then matches the pattern.
 */
export function readClass(reader: PatternReader, depth = 1): CharacterClass {
  if (depth > deepest) reader.giveUp()
  const negated = reader.take('^')
  const operands: CharacterSet[] = []
  let items: Item[] = []
  let isAscii = true
  if (reader.peek() === ']') reader.giveUp()
  for (;;) {
    if (reader.done) reader.giveUp()
    const closed = reader.take(']')
    if (closed || reader.take('&&')) {
      if (items.length === 0) reader.giveUp()
      operands.push(uniteSets(items.map(({ set }) => set)))
      items = []
      if (closed) break
      continue
    }
    const item = readItem(reader, items.length === 0, depth)
    isAscii &&= item.isAscii
    items.push(item)
  }
  return { set: operands.length === 1 ? operands[0]! : intersectSets(operands), negated, isAscii }
}

/** The characters that a class matches. */
export function toCharacterSet({ set, negated }: CharacterClass): CharacterSet {
  return negated ? complementSet(set) : set
}

function readItem(reader: PatternReader, isFirst: boolean, depth: number): Item {
  const posix = reader.match(/\[:(\^?)(\w+):\]/y)
  if (posix) {
    const set = getPosixClass(posix[2]!) ?? reader.giveUp()
    return { set: posix[1] ? complementSet(set) : set, isAscii: false }
  }
  if (reader.take('[')) return { set: toCharacterSet(readClass(reader, depth + 1)), isAscii: false }
  const first = readMember(reader, isFirst)
  if (!reader.match(/-(?!\]|&&)/y)) return first
  const last = readMember(reader, false)
  if (first.character === undefined || last.character === undefined) return reader.giveUp()
  if (first.character.codePointAt(0)! > last.character.codePointAt(0)!) reader.giveUp()
  return { set: createRangeSet(first.character, last.character), isAscii: first.isAscii && last.isAscii }
}

function readMember(reader: PatternReader, isFirst: boolean): Item {
  const character = reader.next()
  // Rejects these characters as members; the empty string is the end of the pattern.
  if (character === '' || character === '[' || character === ']') return reader.giveUp()
  if (character === '-' && !isFirst && reader.peek() !== ']') return reader.giveUp()
  if (character !== '\\') return createItem(character)
  const letter = reader.next() || reader.giveUp()
  const set = readEscapedSet(letter, reader)
  if (set) return { set, isAscii: /^[dhsw]$/.test(letter) }
  return createItem(letter === 'b' ? '\b' : readEscapedCharacter(letter, reader))
}

function createItem(character: string): Item {
  return { set: createSingleSet(character), isAscii: character < '\x80', character }
}
