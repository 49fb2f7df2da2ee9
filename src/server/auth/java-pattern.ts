import { compileLinearPattern, type LinearPattern } from '../../base/text/linear-pattern.ts'

/** Throws an error that rejects a pattern, with the reason. */
type Reject = (reason: string) => never

/** Flags of a group: `(?i)` and `(?s)`. */
interface Flags {
  readonly ignoreCase: boolean
  readonly dotAll: boolean
}

type Range = readonly [first: number, last: number]

/** Characters that `.` does not match and before which `$` matches. java.util.regex: Line terminators. */
const lineTerminators: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x85, 0x85],
  [0x2028, 0x2029],
]
const digits: readonly Range[] = [[0x30, 0x39]]
const wordCharacters: readonly Range[] = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]
const whitespace: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
]
const classes: Readonly<Record<string, readonly Range[]>> = { d: digits, w: wordCharacters, s: whitespace }
const controls: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, r: 0x0d, f: 0x0c, a: 0x07, e: 0x1b }

/** True if the text contains a character that `.` of a Java pattern does not match. */
export function hasLineTerminator(text: string): boolean {
  return /[\n\r\u0085\u2028\u2029]/.test(text)
}

/** True if `.` or `$` of a Java pattern would treat the end of the text specially. Such a text is never matched. */
export function hasTrailingLineTerminator(text: string): boolean {
  return hasLineTerminator(text.slice(-1))
}

/**
 * Compiles a regular expression with the semantics of java.util.regex, as in Puppet Server, for
 * matching in linear time. A construct that RE2 lacks or interprets differently is rejected. The
 * text must not end in a line terminator. Throws EXPRESSION_NOT_LINEAR.
 */
export function compileJavaPattern(source: string): LinearPattern {
  return compileLinearPattern(source, (text, reject) => new Translator(text, reject).translate())
}

/** Rewrites a Java pattern as an RE2 pattern of code points, sets, groups and quantifiers only. */
class Translator {
  readonly #characters: readonly string[]
  readonly #reject: Reject
  readonly #groupNames = new Set<string>()
  #at = 0
  #flags: Flags = { ignoreCase: false, dotAll: false }

  constructor(source: string, reject: Reject) {
    this.#characters = [...source]
    this.#reject = reject
  }

  translate(): string {
    const translated = this.#alternatives()
    if (this.#at < this.#characters.length) this.#reject('unmatched closing )')
    return translated
  }

  #alternatives(): string {
    let result = ''
    while (this.#at < this.#characters.length && this.#peek() !== ')') result += this.#term()
    return result
  }

  #term(): string {
    if (this.#startsWith('\\Q')) return this.#quotation()
    const character = this.#next()
    switch (character) {
      case '|':
        return '|'
      case '^':
        return this.#assertion('\\A')
      case '$':
        return this.#assertion('\\z')
      case '(':
        return this.#group()
      case '.':
        return this.#quantified(this.#flags.dotAll ? '(?s:.)' : formatCharacterSet(lineTerminators, true))
      case '[':
        return this.#quantified(this.#set())
      case '\\':
        return this.#escape()
      case '*':
      case '+':
      case '?':
        return this.#reject(`missing argument to repetition operator: \`${character}\``)
      case '{':
        return this.#reject('a literal `{` must be written as `\\{`')
      default:
        return this.#quantified(this.#literal(this.#known(character)))
    }
  }

  #quotation(): string {
    this.#at += 2
    const quoted: string[] = []
    while (this.#at < this.#characters.length && !this.#startsWith('\\E'))
      quoted.push(this.#literal(this.#known(this.#next())))
    this.#at += 2
    // A quantifier after `\E` repeats the last quoted character.
    const last = quoted.pop()
    return last === undefined ? this.#assertion('') : quoted.join('') + this.#quantified(last)
  }

  #assertion(translated: string): string {
    const next = this.#peek()
    if (next !== undefined && '*+?{'.includes(next)) this.#reject('an anchor cannot be repeated')
    return translated
  }

  #group(): string {
    const before = this.#flags
    const opening = this.#opening()
    if (opening === undefined) return ''
    const inner = this.#alternatives()
    if (this.#peek() !== ')') this.#reject('missing closing )')
    this.#at++
    this.#flags = before
    return this.#quantified(`${opening}${inner})`)
  }

  /**
   * Reads the start of a group; returns `undefined` for `(?i)`, which changes the flags of the
   * group around it.
   */
  #opening(): string | undefined {
    if (this.#peek() !== '?') return '('
    const rest = this.#characters.slice(this.#at, this.#at + 80).join('')
    const [name, groupName] = /^\?<([a-zA-Z][a-zA-Z0-9]*)>/.exec(rest) ?? []
    if (name !== undefined && groupName !== undefined) {
      if (this.#groupNames.has(groupName)) this.#reject(`two groups are named ${groupName}`)
      this.#groupNames.add(groupName)
      this.#at += name.length
      return '('
    }
    const [around] = /^\?<?[=!]/.exec(rest) ?? []
    if (around !== undefined) this.#reject(`lookaround is not supported: \`(${around}\``)
    const [flags, on = '', off = '', end] = /^\?([is]{0,2})(?:-([is]{1,2}))?([:)])/.exec(rest) ?? []
    if (flags === undefined) return this.#reject(`this group is not supported: \`(${rest.slice(0, 4)}\``)
    this.#at += flags.length
    this.#flags = {
      ignoreCase: (this.#flags.ignoreCase || on.includes('i')) && !off.includes('i'),
      dotAll: (this.#flags.dotAll || on.includes('s')) && !off.includes('s'),
    }
    if (end === ':') return '(?:'
    this.#assertion('')
    return undefined
  }

  #escape(): string {
    const character = this.#peek()
    if (character === 'A') {
      this.#at++
      return this.#assertion('\\A')
    }
    if (character === 'z' || character === 'Z') {
      this.#at++
      return this.#assertion('\\z')
    }
    const meant = this.#escaped()
    return this.#quantified(typeof meant === 'number' ? this.#literal(meant) : formatCharacterSet(meant, false))
  }

  /** Reads an escape; returns the code point or the character set that it denotes. */
  #escaped(): number | readonly Range[] {
    const character = this.#next()
    const named = classes[character.toLowerCase()]
    if (named) return character === character.toLowerCase() ? named : complementRanges(named)
    const control = controls[character]
    if (control !== undefined) return control
    const rest = this.#characters.slice(this.#at, this.#at + 10).join('')
    const hexadecimal = { x: /^(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/, u: /^([0-9a-fA-F]{4})/ }[character]
    const [digits, two, braced] = hexadecimal?.exec(rest) ?? []
    if (digits !== undefined) {
      this.#at += digits.length
      const code = Number.parseInt(two ?? braced!, 16)
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        this.#reject(`\\${character}${digits} is not a character`)
      return code
    }
    if (/[1-9]/.test(character)) return this.#reject(`backreferences are not supported: \`\\${character}\``)
    if (/[a-zA-Z0-9]/.test(character)) return this.#reject(`this escape sequence is not supported: \`\\${character}\``)
    return this.#known(character)
  }

  #set(): string {
    const negated = this.#peek() === '^'
    if (negated) this.#at++
    if (this.#peek() === ']') this.#reject('a literal `]` in a set must be written as `\\]`')
    const ranges: Range[] = []
    for (;;) {
      const character = this.#next()
      if (character === ']') break
      if (character === '[') this.#reject('nested sets are not supported')
      if (character === '&') this.#checkIntersection()
      if (character === '\\' && this.#peek() === 'Q') this.#reject('a quotation `\\Q…\\E` in a set is not supported')
      const first = character === '\\' ? this.#escaped() : this.#known(character)
      if (typeof first === 'number') ranges.push(...this.#rangeFrom(first))
      else if (this.#peek() === '-' && this.#characters[this.#at + 1] !== ']')
        this.#reject('a range cannot begin with a class of characters')
      else ranges.push(...first)
    }
    return formatCharacterSet(this.#flags.ignoreCase ? ranges.flatMap(addCaseVariants) : ranges, negated)
  }

  #rangeFrom(first: number): readonly Range[] {
    const [dash, end] = this.#characters.slice(this.#at, this.#at + 2)
    if (dash !== '-' || end === ']' || end === undefined) return [[first, first]]
    if (end === '[') this.#reject('nested sets are not supported')
    this.#at += 2
    if (end === '&') this.#checkIntersection()
    const last = end === '\\' ? this.#escaped() : this.#known(end)
    if (typeof last !== 'number') return this.#reject('a range cannot end with a class of characters')
    if (last < first) this.#reject('the end of a range is before its start')
    return [[first, last]]
  }

  #checkIntersection(): void {
    if (this.#peek() === '&') this.#reject('intersections of sets are not supported')
  }

  /** Appends the quantifier that follows an atom, if any. */
  #quantified(atom: string): string {
    const rest = this.#characters.slice(this.#at, this.#at + 24).join('')
    const [quantifier, least, most] = /^(?:[*+?]|\{(\d{1,9})(?:,(\d{1,9})?)?\})/.exec(rest) ?? []
    if (quantifier === undefined) return atom
    if (least !== undefined && most !== undefined && Number(most) < Number(least))
      this.#reject('bad repetition operator')
    this.#at += quantifier.length
    const next = this.#peek()
    if (next === '+') this.#reject('possessive quantifiers are not supported')
    const isLazy = next === '?'
    if (isLazy) this.#at++
    const after = this.#peek()
    if (after !== undefined && '*+?{'.includes(after)) this.#reject('a repetition cannot be repeated')
    return `(?:${atom})${quantifier}${isLazy ? '?' : ''}`
  }

  #literal(code: number): string {
    const ranges: readonly Range[] = [[code, code]]
    return formatCharacterSet(this.#flags.ignoreCase ? ranges.flatMap(addCaseVariants) : ranges, false)
  }

  #startsWith(text: string): boolean {
    return this.#characters[this.#at] === text[0] && this.#characters[this.#at + 1] === text[1]
  }

  #peek(): string | undefined {
    return this.#characters[this.#at]
  }

  #next(): string {
    return this.#characters[this.#at++] ?? this.#reject('it is incomplete')
  }

  #known(character: string): number {
    const code = getCodePoint(character)
    return code >= 0xd800 && code <= 0xdfff ? this.#reject('it contains half of a surrogate pair') : code
  }
}

function getCodePoint(character: string): number {
  return character.codePointAt(0)!
}

/** Formats a character set in RE2 syntax. */
function formatCharacterSet(ranges: readonly Range[], negated: boolean): string {
  const members = ranges.map(([first, last]) =>
    first === last ? formatCodePoint(first) : `${formatCodePoint(first)}-${formatCodePoint(last)}`,
  )
  return `[${negated ? '^' : ''}${members.join('')}]`
}

function formatCodePoint(code: number): string {
  return `\\x{${code.toString(16)}}`
}

function complementRanges(ranges: readonly Range[]): readonly Range[] {
  const outside: Range[] = []
  let next = 0
  for (const [first, last] of ranges) {
    if (first > next) outside.push([next, first - 1])
    next = last + 1
  }
  return [...outside, [next, 0x10ffff]]
}

/** Adds to a range its ASCII letters in the other case: `(?i)` in Java folds ASCII letters only. */
function addCaseVariants(range: Range): readonly Range[] {
  const shiftLetters = (from: number, to: number, shift: number): readonly Range[] => {
    const [first, last] = [Math.max(range[0], from), Math.min(range[1], to)]
    return first <= last ? [[first + shift, last + shift]] : []
  }
  return [range, ...shiftLetters(0x41, 0x5a, 0x20), ...shiftLetters(0x61, 0x7a, -0x20)]
}
