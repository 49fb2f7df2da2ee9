/** Words that precede an expression, so that a slash after such a word begins a regular expression. */
const keywords: ReadonlySet<string> = new Set(
  'and begin case do else elsif ensure if in not or rescue return then unless until when while yield'.split(' '),
)

/** Matches comments that change how Ruby reads the code. */
const magic = /^#!|coding|frozen_string_literal|warn_indent|shareable_constant_value|warn_past_scope/i

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }

/** Largest depth of nested strings. Handwritten code has a depth of two or three. */
const mostNested = 20

/** Thrown if the meaning of a character in the code is ambiguous. */
class Unclear extends Error {}

/**
 * Returns Ruby code without comments; line numbers do not change. Used so that a changed comment does not change the
 * digest of the code. `undefined` if it is ambiguous which characters form a comment.
 */
export function stripRubyComments(ruby: string): string | undefined {
  try {
    return new Scan(ruby).code()
  } catch (error) {
    if (error instanceof Unclear) return undefined
    throw error
  }
}

interface Heredoc {
  readonly end: string
  readonly isIndented: boolean
}

/** Finds the comments of a text in one pass. Throws `Unclear` if the text has two possible interpretations. */
class Scan {
  readonly #text: string
  /** The parts of the text before `#from` that are not comments. */
  readonly #kept: string[] = []
  #from = 0
  #at = 0
  #depth = 0
  /** Kind of the last token on this line. */
  #last: 'nothing' | 'operator' | 'value' | 'name' | 'keyword' = 'nothing'
  #heredocs: Heredoc[] = []

  constructor(text: string) {
    this.#text = text
  }

  code(): string {
    this.#statements(false)
    this.#kept.push(this.#text.slice(this.#from))
    return this.#kept.join('').trimEnd()
  }

  /** Skips code up to the end of the text; inside a string, up to the brace that closes the interpolation. */
  #statements(isInString: boolean): void {
    for (let depth = 0; this.#at < this.#text.length; ) {
      const char = this.#text[this.#at]!
      if (this.#isAtLineStart() && this.#text.startsWith('=begin', this.#at)) throw new Unclear()
      if (this.#isAtLineStart() && /__END__(?:\r?\n|$)/y.test(this.#rest(9))) {
        if (isInString) throw new Unclear()
        this.#copy(this.#text.length - this.#at)
        return
      }
      if (isInString && char === '}' && depth === 0) return
      if (char === '{') depth++
      if (char === '}') depth--
      if (/[A-Za-z0-9_\u0080-\uffff]/.test(char)) this.#word()
      else this.#sign(char, isInString)
    }
    if (isInString || this.#heredocs.length > 0) throw new Unclear()
  }

  #word(): void {
    const isMethod = /[.@$:]/.test(this.#text[this.#at - 1] ?? '')
    let [word] = this.#match(/[\w\u0080-\uffff]+/y)!
    if (/[?!](?!=)/y.test(this.#rest(2))) word += this.#rest(1)
    if (/[?!]/.test(word)) this.#copy(1)
    const next = this.#text[this.#at]
    if (word.endsWith('?') && (next === '/' || next === '%')) throw new Unclear()
    // Skips the name of an operator method.
    if (word === 'def' && !isMethod) this.#match(/ [^\w\s#(;.]{1,3}(?=[\s(])/y)
    if (isMethod) this.#last = 'name'
    else this.#last = keywords.has(word) ? 'keyword' : /^\d/.test(word) ? 'value' : 'name'
  }

  #sign(char: string, isInString: boolean): void {
    switch (char) {
      case '\n':
        this.#newline(isInString)
        break
      case '#':
        this.#comment()
        break
      case "'":
        this.#quoted("'", undefined, false)
        break
      case '"':
        this.#quoted('"', undefined, true)
        break
      case '/':
        this.#slash()
        break
      case '%':
        this.#percent()
        break
      case '<':
        this.#heredocOrSign()
        break
      case '?':
        this.#question()
        break
      case '$':
        this.#match(/\$(?:\w+|-\w|.)/y)
        this.#last = 'value'
        break
      case '`':
      case '\\':
        if (char === '`' || !/\\\r?\n/y.test(this.#rest(3))) throw new Unclear()
        this.#copy(1)
        break
      case ':':
        if (/:[/%`?<]/y.test(this.#rest(2))) throw new Unclear()
        this.#operator()
        break
      case ')':
      case ']':
      case '}':
        this.#copy(1)
        this.#last = 'value'
        break
      case ' ':
      case '\t':
      case '\r':
        this.#copy(1)
        break
      default:
        this.#operator()
    }
  }

  #operator(): void {
    this.#copy(1)
    this.#last = 'operator'
  }

  #newline(isInString: boolean): void {
    this.#copy(1)
    this.#last = 'nothing'
    if (this.#heredocs.length === 0) return
    if (isInString) throw new Unclear()
    for (const { end, isIndented } of this.#heredocs) {
      for (;;) {
        if (this.#at >= this.#text.length) throw new Unclear()
        const [line] = this.#match(/[^\n]*(?:\n|$)/y)!
        const said = line.replace(/\r?\n$/, '')
        if ((isIndented ? said.trimStart() : said) === end) break
      }
    }
    this.#heredocs = []
  }

  #comment(): void {
    const start = this.#at
    const end = this.#text.indexOf('\n', start)
    this.#at = end < 0 ? this.#text.length : end
    if (magic.test(this.#text.slice(start, this.#at))) return
    let blank = start
    while (blank > this.#from && /[ \t]/.test(this.#text[blank - 1]!)) blank--
    this.#kept.push(this.#text.slice(this.#from, blank))
    this.#from = this.#at
  }

  /** Skips a literal up to `end`. `open` is the opening bracket if brackets can be nested in the literal. */
  #quoted(end: string, open: string | undefined, isInterpolated: boolean): void {
    this.#copy(1)
    for (let depth = 0; ; ) {
      const char = this.#text[this.#at]
      if (char === undefined || (char === '\n' && this.#heredocs.length > 0)) throw new Unclear()
      if (char === '\\') this.#copy(2)
      else if (isInterpolated && this.#text.startsWith('#{', this.#at)) {
        this.#inString()
      } else {
        this.#copy(1)
        if (char === open) depth++
        else if (char === end && depth-- === 0) break
      }
    }
    this.#last = 'value'
  }

  /** Skips the code between `#{` and `}` in a string. */
  #inString(): void {
    if (++this.#depth > mostNested) throw new Unclear()
    this.#copy(2)
    this.#last = 'nothing'
    this.#statements(true)
    this.#copy(1)
    this.#depth--
  }

  #slash(): void {
    const isSpaced = /\s/.test(this.#text[this.#at - 1] ?? ' ')
    const isFollowed = /\s|=/.test(this.#text[this.#at + 1] ?? ' ')
    if (this.#last === 'value' || (this.#last === 'name' && (!isSpaced || isFollowed))) this.#operator()
    else if (this.#last === 'name') throw new Unclear()
    else this.#quoted('/', undefined, true)
  }

  #percent(): void {
    const isSpaced = /\s/.test(this.#text[this.#at - 1] ?? ' ')
    const literal = /%([qQwWiIrs]?)([^\w\s\\#])/y.exec(this.#rest(3))
    if (this.#last === 'value' || (this.#last === 'name' && !(literal && isSpaced))) {
      this.#operator()
      return
    }
    if (!literal || this.#last === 'name') throw new Unclear()
    const [text, kind = '', open = ''] = literal
    this.#copy(text.length - 1)
    this.#quoted(closing[open] ?? open, closing[open] ? open : undefined, !/[qwis]/.test(kind))
  }

  #heredocOrSign(): void {
    const found = /<<([~-]?)(["']?)([A-Za-z_]\w*)\2/y.exec(this.#rest(200))
    if (!found) {
      if (/<<[~-]?["'`]/y.test(this.#rest(4))) throw new Unclear()
      this.#operator()
      return
    }
    const [text, indent = '', quote, end = ''] = found
    const isPlain = indent === '' && quote === ''
    const isBehind = this.#last === 'value' || (isPlain && this.#last === 'name')
    if (isBehind || (isPlain && !/^[A-Z]/.test(end))) throw new Unclear()
    this.#copy(text.length)
    this.#heredocs.push({ end, isIndented: indent !== '' })
    this.#last = 'value'
  }

  #question(): void {
    const next = this.#text[this.#at + 1] ?? ''
    if (this.#last !== 'value' && !/[\s\w]/.test(next)) throw new Unclear()
    this.#operator()
  }

  #isAtLineStart(): boolean {
    return this.#at === 0 || this.#text[this.#at - 1] === '\n'
  }

  #rest(length: number): string {
    return this.#text.slice(this.#at, this.#at + length)
  }

  #copy(length: number): void {
    this.#at += length
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text) ?? undefined
    if (found) this.#copy(found[0].length)
    return found
  }
}
