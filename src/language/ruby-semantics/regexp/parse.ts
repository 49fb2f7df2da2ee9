import { readClass, toCharacterSet } from './character-class.ts'
import { addOtherCase, complementSet, createSingleSet, makeSet } from './character-set.ts'
import { readEscapedCharacter, readEscapedSet } from './escapes.ts'
import type { Anchor, Pattern, RegexpNode } from './nodes.ts'
import { PatternReader } from './reader.ts'

interface Flags {
  readonly ignoreCase: boolean
  readonly dotAll: boolean
  readonly extended: boolean
}

/** Maximum depth of a pattern, including repeated repeats such as `a***`. Ruby's engine handles deeper patterns. */
const deepest = 200
/** Maximum number of groups; limited because each group is compared with all groups before it. */
const mostGroups = 1000
/** Maximum number of nodes that the expansion of group calls may add; nested calls multiply the number. */
const mostCalled = 2000
/** Maximum repeat count; higher counts make JavaScript's program too large. */
const mostTurns = 1000

/**
 * Parses a Ruby (Onigmo) pattern. Throws Untranslatable for an invalid pattern, and for a pattern that JavaScript may
 * interpret differently.
 */
export function parsePattern(source: string): Pattern {
  const parser = new Parser(source)
  const root = parser.whole()
  const { groupCount, names, ignoresCase, callsGroups } = parser
  return { root, groupCount, names, ignoresCase, callsGroups }
}

const anchors: Readonly<Record<string, Anchor['at']>> = {
  A: 'start',
  z: 'end',
  Z: 'last line end',
  b: 'word bound',
  B: 'inside',
}

const newline = createSingleSet('\n')
const lineBreak = makeSet('\\n\\v\\f\\r\\x85\\u2028\\u2029')
const anything = makeSet('\\s\\S')

class Parser {
  groupCount = 0
  ignoresCase = false
  callsGroups = false
  readonly names = new Map<string, number[]>()
  readonly #reader: PatternReader
  /** True if the pattern has named groups; plain parentheses then do not capture. */
  readonly #hasNames: boolean
  /** Content of closed groups, by number. */
  readonly #bodies = new Map<number, RegexpNode>()
  #depth = 0
  #repeatedRepeats = 0
  #called = 0

  constructor(source: string) {
    this.#reader = new PatternReader(source)
    this.#hasNames = /\(\?(?:<[^=!]|')/.test(source)
  }

  whole(): RegexpNode {
    const root = this.#alternatives({ ignoreCase: false, dotAll: false, extended: false })
    if (!this.#reader.done) this.#reader.giveUp()
    return root
  }

  /** Parses alternatives up to a closing parenthesis or the end. */
  #alternatives(flags: Flags): RegexpNode {
    if (++this.#depth > deepest) this.#reader.giveUp()
    const branches: RegexpNode[] = []
    let parts: RegexpNode[] = []
    for (;;) {
      this.#skip(flags)
      if (this.#reader.done || this.#reader.peek() === ')') break
      if (this.#reader.take('|')) {
        branches.push(createSequence(parts))
        parts = []
        continue
      }
      const switched = this.#reader.match(/\(\?([mix]*)(?:-([mix]*))?\)/y)
      // `a(?i)b|c` means `a(?i:b|c)`.
      if (switched) parts.push(this.#alternatives(this.#changed(flags, switched[1]!, switched[2])))
      else parts.push(this.#quantified(flags))
    }
    this.#depth--
    branches.push(createSequence(parts))
    return branches.length === 1 ? branches[0]! : { kind: 'Alternatives', branches }
  }

  /** Skips comments; with option `x` also white space and `#` lines. */
  #skip({ extended }: Flags): void {
    const reader = this.#reader
    while (reader.match(/\(\?#(?:\\[\s\S]|[^)\\])*\)/y) || (extended && reader.match(/[ \t\n\v\f\r]+|#[^\n]*/y)));
  }

  #quantified(flags: Flags): RegexpNode {
    const reader = this.#reader
    let node = this.#atom(flags)
    for (;;) {
      this.#skip(flags)
      const found = reader.match(/([*+?])([?+]?)|\{(?=\d|,\d)(\d*)(,?)(\d*)\}(\??)/y)
      if (!found) return node
      const [, sign, mode, from, comma, to, intervalMode] = found
      const [min, max] = sign
        ? [sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY]
        : [Number(from), to ? Number(to) : comma ? Number.POSITIVE_INFINITY : Number(from)]
      const lazy = (mode ?? intervalMode) === '?'
      if (!this.#mayRepeat(node, lazy) || min > max || (min === max && lazy)) reader.giveUp()
      if ((node.kind === 'Repeat' || node.kind === 'Atomic') && ++this.#repeatedRepeats > deepest) reader.giveUp()
      if (min > mostTurns || (max > mostTurns && max !== Number.POSITIVE_INFINITY)) reader.giveUp()
      node = { kind: 'Repeat', body: node, min, max, lazy }
      if (mode === '+') node = { kind: 'Atomic', body: node }
    }
  }

  /**
   * True if the node can be repeated. False for nested repeats that Ruby merges into one repeat with another
   * meaning, such as lazy repeats.
   */
  #mayRepeat(node: RegexpNode, lazy: boolean): boolean {
    if (node.kind === 'Repeat') return !lazy && !node.lazy
    return node.kind !== 'Anchor' && node.kind !== 'Look'
  }

  #atom(flags: Flags): RegexpNode {
    const reader = this.#reader
    const character = reader.next()
    switch (character) {
      case '(':
        return this.#group(flags)
      case '[':
        return this.#class(flags)
      case '.':
        return { kind: 'Characters', set: flags.dotAll ? anything : complementSet(newline) }
      case '^':
        return { kind: 'Anchor', at: 'line start' }
      case '$':
        return { kind: 'Anchor', at: 'line end' }
      case '\\':
        return this.#escape(flags)
      case '*':
      case '+':
      case '?':
        return reader.giveUp()
      case '{':
        if (reader.match(/(?=\d*,?\d*\})/y)) reader.giveUp()
        return this.#letter(character, flags)
      default:
        if (flags.extended && /[\s\x85]/.test(character)) reader.giveUp()
        return this.#letter(character, flags)
    }
  }

  #letter(character: string, { ignoreCase }: Flags): RegexpNode {
    const set = createSingleSet(character)
    if (!ignoreCase) return { kind: 'Characters', set }
    if (character > '\x7f') this.#reader.giveUp()
    if (/[a-z]/i.test(character)) this.ignoresCase = true
    return { kind: 'Characters', set: addOtherCase(set) }
  }

  #class({ ignoreCase }: Flags): RegexpNode {
    const found = readClass(this.#reader)
    if (!ignoreCase) return { kind: 'Characters', set: toCharacterSet(found) }
    // Rejects letters outside ASCII, because some of them, such as `ß`, become two letters in the other case.
    if (!found.isAscii) this.#reader.giveUp()
    this.ignoresCase = true
    return { kind: 'Characters', set: toCharacterSet({ ...found, set: addOtherCase(found.set) }) }
  }

  #group(flags: Flags): RegexpNode {
    const reader = this.#reader
    if (!reader.take('?')) {
      if (!this.#hasNames) return this.#capture(flags, undefined)
      return this.#body(flags)
    }
    const kind = reader.match(/<?[=!]|>|([mix]*)(?:-([mix]*))?:|<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)'/y)
    if (!kind) return reader.giveUp()
    const [text, on, off, name, quotedName] = kind
    if (name ?? quotedName) return this.#capture(flags, name ?? quotedName)
    if (text === '>') return { kind: 'Atomic', body: this.#body(flags) }
    if (text.endsWith(':')) return this.#body(this.#changed(flags, on ?? '', off))
    const direction = text.startsWith('<') ? 'behind' : 'ahead'
    return { kind: 'Look', direction, negated: text.endsWith('!'), body: this.#body(flags) }
  }

  #changed(flags: Flags, on: string, off = ''): Flags {
    const resolveOption = (letter: string, before: boolean) => (on.includes(letter) || before) && !off.includes(letter)
    return {
      ignoreCase: resolveOption('i', flags.ignoreCase),
      dotAll: resolveOption('m', flags.dotAll),
      extended: resolveOption('x', flags.extended),
    }
  }

  #capture(flags: Flags, name: string | undefined): RegexpNode {
    const number = ++this.groupCount
    if (number > mostGroups) this.#reader.giveUp()
    if (name !== undefined) this.names.set(name, [...(this.names.get(name) ?? []), number])
    const body = this.#body(flags)
    this.#bodies.set(number, body)
    return { kind: 'Capture', number, body }
  }

  #body(flags: Flags): RegexpNode {
    const node = this.#alternatives(flags)
    if (!this.#reader.take(')')) this.#reader.giveUp()
    return node
  }

  #escape(flags: Flags): RegexpNode {
    const reader = this.#reader
    const letter = reader.next()
    const at = anchors[letter]
    if (at !== undefined) return { kind: 'Anchor', at }
    if (letter === 'R') return brokenLine
    if (letter === 'k' || letter === 'g') return this.#named(letter)
    if (/[1-9]/.test(letter)) return this.#numbered(letter)
    const set = readEscapedSet(letter, reader)
    if (set === undefined) return this.#letter(readEscapedCharacter(letter, reader), flags)
    if (flags.ignoreCase && (letter === 'p' || letter === 'P')) reader.giveUp()
    return { kind: 'Characters', set }
  }

  /** Parses `\1` to `\9`, and larger numbers if the pattern has that many groups. */
  #numbered(first: string): RegexpNode {
    const number = Number(first + (this.#reader.match(/\d*/y)?.[0] ?? ''))
    if (this.#hasNames || number > this.groupCount) this.#reader.giveUp()
    return { kind: 'BackReference', number }
  }

  /** Parses `\k<name>`. Parses `\g<name>` if that group is closed, by repeating its pattern. */
  #named(letter: 'k' | 'g'): RegexpNode {
    const reader = this.#reader
    const found = reader.match(/<(-?\w+)>|'(-?\w+)'/y) ?? reader.giveUp()
    const name = found[1] ?? found[2]!
    const number = this.#getGroupNumber(name)
    if (letter === 'k') return { kind: 'BackReference', number }
    this.callsGroups = true
    return this.#withoutCaptures(this.#bodies.get(number) ?? reader.giveUp())
  }

  #withoutCaptures = (node: RegexpNode): RegexpNode => {
    if (++this.#called > mostCalled) this.#reader.giveUp()
    switch (node.kind) {
      case 'Capture':
        return this.#withoutCaptures(node.body)
      case 'Sequence':
        return { ...node, parts: node.parts.map(this.#withoutCaptures) }
      case 'Alternatives':
        return { ...node, branches: node.branches.map(this.#withoutCaptures) }
      case 'Repeat':
      case 'Atomic':
      case 'Look':
        return { ...node, body: this.#withoutCaptures(node.body) }
      default:
        return node
    }
  }

  #getGroupNumber(name: string): number {
    if (/^-?\d/.test(name)) {
      const number = name.startsWith('-') ? this.groupCount + 1 + Number(name) : Number(name)
      return this.#hasNames || number < 1 || number > this.groupCount ? this.#reader.giveUp() : number
    }
    const numbers = this.names.get(name)
    return numbers?.length === 1 ? numbers[0]! : this.#reader.giveUp()
  }
}

/** `\R`: any line break. */
const brokenLine: RegexpNode = {
  kind: 'Atomic',
  body: {
    kind: 'Alternatives',
    branches: [
      createSequence([
        { kind: 'Characters', set: createSingleSet('\r') },
        { kind: 'Characters', set: newline },
      ]),
      { kind: 'Characters', set: lineBreak },
    ],
  },
}

function createSequence(parts: readonly RegexpNode[]): RegexpNode {
  return parts.length === 1 ? parts[0]! : { kind: 'Sequence', parts }
}
