import { anyCase, escapedCharacter, escapedClass, literal } from './character.ts'
import { readClass } from './character-class.ts'
import { Reader } from './reader.ts'

/** JavaScript's text of a Ruby pattern, for flag `v`, and where Ruby's groups are in it. */
export interface Translation {
  readonly pattern: string
  readonly ignoreCase: boolean
  /** JavaScript's number of each of Ruby's groups, from 1. */
  readonly groups: readonly number[]
  readonly names: ReadonlyMap<string, readonly number[]>
}

interface Flags {
  readonly ignoreCase: boolean
  readonly dotAll: boolean
  readonly extended: boolean
}

/** Translates Ruby's dialect (Onigmo). Throws RUNTIME_ERROR for what is wrong, or what JavaScript cannot do. */
export function translate(source: string): Translation {
  const whole = translateWith(source, false)
  return whole.ignoreCase ? translateWith(source, true) : whole
}

/** `wholly`: every letter ignores case, so that a flag does it. */
function translateWith(source: string, wholly: boolean): Translation {
  const translator = new Translator(source, wholly)
  const { text, groups } = numbered(translator.whole(), translator.groupCount)
  const names = new Map(Array.from(translator.names, ([name, all]) => [name, all] as const))
  return { pattern: text, ignoreCase: translator.caseIgnored && !translator.caseObserved, groups, names }
}

// Groups get their numbers last: atomic groups need groups of their own. Until then, NUL marks them.
const open = (id: string | number) => `\0(${id}\0`
const reference = (id: string | number) => `\0=${id}\0`

function numbered(text: string, count: number): { text: string; groups: number[] } {
  const numbers = new Map<string, number>()
  const opened = text.replace(/\0\((\w+)\0/g, (_, id: string) => {
    numbers.set(id, numbers.size + 1)
    return '('
  })
  const done = opened.replace(/\0=(\w+)\0/g, (_, id: string) => `(?:\\${numbers.get(id) ?? 0})`)
  return { text: done, groups: Array.from({ length: count }, (_, index) => numbers.get(String(index + 1)) ?? 0) }
}

class Translator {
  groupCount = 0
  caseIgnored = false
  caseObserved = false
  readonly names = new Map<string, number[]>()
  readonly #reader: Reader
  readonly #wholly: boolean
  /** With named groups, plain parentheses do not capture. */
  readonly #namedOnly: boolean
  readonly #bodies = new Map<string, string>()
  #atomics = 0
  #calls = 0

  constructor(source: string, wholly: boolean) {
    this.#reader = new Reader(source)
    this.#wholly = wholly
    this.#namedOnly = /(?<!\\)(?:\\\\)*\(\?(?:<[A-Za-z_]|'[A-Za-z_])/.test(source)
  }

  whole(): string {
    const text = this.#alternatives({ ignoreCase: false, dotAll: false, extended: false })
    if (!this.#reader.done) this.#reader.fail('unmatched close parenthesis')
    return text
  }

  /** Up to a closing parenthesis or the end. `(?i)` holds to the end of its group, alternatives included. */
  #alternatives(given: Flags): string {
    const reader = this.#reader
    let flags = given
    let text = ''
    let branch = ''
    for (;;) {
      if (reader.done || reader.peek() === ')') return text + branch
      if (reader.take('|')) {
        text += `${branch}|`
        branch = ''
        continue
      }
      const switched = reader.match(/\(\?([mix]*)(?:-([mix]*))?\)/y)
      if (switched) {
        flags = changed(flags, switched[1]!, switched[2] ?? '')
        continue
      }
      if (reader.take('\\K')) {
        if (text !== '') reader.fail('\\K after an alternative is not supported')
        branch = `(?<=${branch})`
        continue
      }
      branch += this.#quantified(flags)
    }
  }

  #quantified(flags: Flags): string {
    const reader = this.#reader
    if (flags.extended && reader.match(/\s+|#[^\n]*/y)) return ''
    if (reader.take('(?#')) {
      reader.until(')', 'end pattern in group')
      return ''
    }
    let atom = this.#atom(flags)
    let quantified = false
    for (;;) {
      if (flags.extended) reader.match(/(?:\s+|#[^\n]*)+(?=[*+?{])/y)
      const found = reader.match(/([*+?])([?+]?)|\{(?:(\d+)(?:(,)(\d*))?|,(\d+))\}(\??)/y)
      if (!found) return atom
      const [, sign, mode = '', from, comma, to, only, lazy] = found
      const count = sign ?? `{${from ?? 0}${comma || only ? ',' : ''}${to ?? only ?? ''}}`
      const base = quantified || /^\(\?<?[=!]/.test(atom) || atom === '' ? `(?:${atom})` : atom
      atom = mode === '+' ? this.#atomic(`${base}${count}`) : `${base}${count}${mode || (lazy ?? '')}`
      quantified = true
    }
  }

  #atomic(text: string): string {
    const id = `a${++this.#atomics}`
    return `(?:(?=${open(id)}${text}))${reference(id)})`
  }

  #atom(flags: Flags): string {
    const reader = this.#reader
    const character = reader.next()
    switch (character) {
      case '(':
        return this.#group(flags)
      case '[':
        return this.#class(flags)
      case '.':
        return flags.dotAll ? '[\\s\\S]' : '[^\\n]'
      case '^':
        return '(?:^|(?<=\\n)(?!$))'
      case '$':
        return '(?=\\n|$)'
      case '\\':
        return this.#escape(flags)
      case '*':
      case '+':
      case '?':
        return reader.fail('target of repeat operator is not specified')
      default:
        return this.#letter(character, flags)
    }
  }

  #letter(character: string, { ignoreCase }: Flags): string {
    if (character.toLowerCase() === character.toUpperCase()) return literal(character)
    this.#note(ignoreCase)
    return ignoreCase && !this.#wholly ? `[${anyCase(character)}]` : literal(character)
  }

  #class({ ignoreCase }: Flags): string {
    this.#note(ignoreCase)
    return readClass(this.#reader, ignoreCase && !this.#wholly)
  }

  #note(ignoreCase: boolean): void {
    if (ignoreCase) this.caseIgnored = true
    else this.caseObserved = true
  }

  #group(flags: Flags): string {
    const reader = this.#reader
    if (!reader.take('?')) {
      if (this.#namedOnly) return `(?:${this.#body(flags)})`
      return this.#capture(flags, undefined)
    }
    const kind = reader.match(/<?[=!]|[:>~(]|([mix]*)(?:-([mix]*))?:|<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)'/y)
    if (!kind) return reader.fail('undefined group option')
    const [text, on, off, name, quotedName] = kind
    if (name ?? quotedName) return this.#capture(flags, name ?? quotedName)
    if (text === '>') return this.#atomic(this.#body(flags))
    if (text === '~') return reader.fail('the absence operator (?~) is not supported')
    if (text === '(') return reader.fail('conditions (?(…)) are not supported')
    if (text.endsWith(':')) return `(?:${this.#body(changed(flags, on ?? '', off ?? ''))})`
    return `(?${text}${this.#body(flags)})`
  }

  #capture(flags: Flags, name: string | undefined): string {
    const inCall = this.#calls > 0
    const number = inCall ? 0 : ++this.groupCount
    if (name !== undefined && !inCall) this.names.set(name, [...(this.names.get(name) ?? []), number])
    const start = this.#reader.at
    const body = this.#body(flags)
    const source = this.#reader.source.slice(start, this.#reader.at - 1)
    if (!inCall) this.#bodies.set(String(number), source)
    if (name !== undefined) this.#bodies.set(name, source)
    return inCall ? `(?:${body})` : `${open(number)}${body})`
  }

  #body(flags: Flags): string {
    const text = this.#alternatives(flags)
    if (!this.#reader.take(')')) this.#reader.fail('end pattern with unmatched parenthesis')
    return text
  }

  #escape(flags: Flags): string {
    const reader = this.#reader
    if (reader.done) reader.fail('too short escape sequence')
    const letter = reader.next()
    const anchor = anchors[letter]
    if (anchor !== undefined) return anchor
    if (letter === 'k') return this.#namedReference()
    if (letter === 'g') return this.#call(flags)
    if (letter === 'G' || letter === 'X') reader.fail(`\\${letter} is not supported`)
    if (/[1-9]/.test(letter)) return this.#numberedReference(letter, flags)
    const inside = escapedClass(letter, reader)
    if (inside !== undefined) return `[${inside}]`
    return this.#letter(escapedCharacter(letter, reader) ?? letter, flags)
  }

  /** A group that is there, or `\1` to `\9`; more digits are an octal code. */
  #numberedReference(first: string, flags: Flags): string {
    const reader = this.#reader
    const digits = first + (reader.match(/\d{0,2}/y)?.[0] ?? '')
    if (digits.length === 1 || Number(digits) <= this.groupCount) return reference(digits)
    const octal = /^[0-7]{2,3}/.exec(digits)?.[0] ?? first
    reader.at -= digits.length - octal.length
    return octal === first ? reference(first) : this.#letter(String.fromCodePoint(Number.parseInt(octal, 8)), flags)
  }

  #namedReference(): string {
    const name = this.#reader.match(/<(-?\w+)>|'(-?\w+)'/y)
    if (!name) return this.#reader.fail('invalid backref number/name')
    const given = name[1] ?? name[2]!
    if (/^-/.test(given)) return reference(this.groupCount + 1 + Number(given))
    if (/^\d/.test(given)) return reference(given)
    const numbers = this.names.get(given)
    if (!numbers) return this.#reader.fail(`undefined name <${given}> reference`)
    return numbers.length === 1 ? reference(numbers[0]!) : `(?:${[...numbers].reverse().map(reference).join('|')})`
  }

  /** `\g<name>`: the group's pattern again, in place. What it finds is not the group's, as it would be in Ruby. */
  #call(flags: Flags): string {
    const name = this.#reader.match(/<(\w+)>|'(\w+)'/y)
    const body = name && (this.#bodies.get(name[1] ?? name[2]!) ?? groupBody(this.#reader.source, name[1] ?? name[2]!))
    if (body === undefined) return this.#reader.fail('undefined group reference')
    if (this.#calls > 8) return this.#reader.fail('recursive groups are not supported')
    const inner = new Translator(body, this.#wholly)
    inner.#calls = this.#calls + 1
    for (const [key, value] of this.#bodies) inner.#bodies.set(key, value)
    inner.#atomics = 1000 * (this.#atomics + inner.#calls)
    const text = inner.#alternatives(flags)
    this.#atomics++
    return `(?:${text})`
  }
}

const anchors: Readonly<Record<string, string>> = {
  A: '^',
  z: '$',
  Z: '(?=\\n?$)',
  b: '\\b',
  B: '\\B',
  R: '(?:\\r\\n|[\\n\\v\\f\\r\\x85\\u2028\\u2029])',
}

/** The text of a named group that comes later than its call. */
function groupBody(source: string, name: string): string | undefined {
  const start = source.indexOf(`(?<${name}>`)
  if (start === -1) return undefined
  const from = start + name.length + 4
  let depth = 1
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '(') depth++
    else if (source[at] === ')' && --depth === 0) return source.slice(from, at)
  }
  return undefined
}

function changed(flags: Flags, on: string, off: string): Flags {
  const value = (letter: string, before: boolean) => (on.includes(letter) || before) && !off.includes(letter)
  return {
    ignoreCase: value('i', flags.ignoreCase),
    dotAll: value('m', flags.dotAll),
    extended: value('x', flags.extended),
  }
}
