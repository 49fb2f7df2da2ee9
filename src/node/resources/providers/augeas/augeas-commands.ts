import { failWithFormError, failWithMessage } from '../../issues.ts'

type Kind = 'path' | 'string' | 'comparator' | 'number' | 'rest'

/** Argument types of each command in a manifest. */
const commands: Readonly<Record<string, readonly Kind[]>> = {
  set: ['path', 'string'],
  setm: ['path', 'string', 'string'],
  rm: ['path'],
  remove: ['path'],
  clear: ['path'],
  clearm: ['path', 'string'],
  touch: ['path'],
  mv: ['path', 'path'],
  move: ['path', 'path'],
  rename: ['path', 'string'],
  insert: ['string', 'string', 'path'],
  ins: ['string', 'string', 'path'],
  get: ['path', 'comparator', 'string'],
  values: ['path', 'rest'],
  defvar: ['string', 'path'],
  defnode: ['string', 'path', 'string'],
  match: ['path', 'rest'],
  size: ['comparator', 'number'],
  include: ['string'],
  not_include: ['string'],
  '==': ['rest'],
  '!=': ['rest'],
}

/** A command and its arguments: `['set', '/files/etc/hosts/1/ipaddr', '10.0.0.1']`. */
export type AugeasCommand = readonly [name: string, ...words: (string | number)[]]

/** Parses lines of commands. Relative paths are prefixed with the context. Puppet: augeas_core, provider/augeas.rb */
export function parseCommands(lines: readonly string[], context: string): readonly AugeasCommand[] {
  const base = context === '' || context.endsWith('/') ? context : `${context}/`
  return lines.flatMap((each) => {
    const line = each.trim()
    return line === '' ? [] : [parseCommand(line, base)]
  })
}

function parseCommand(line: string, base: string): AugeasCommand {
  const name = /^(?:\w+|==|!=)/.exec(line)?.[0] ?? ''
  const kinds = (Object.hasOwn(commands, name) && commands[name]) || failWithMessage(`Unknown command ${name}`)
  const scanner = new Scanner(line, name.length)
  const words = kinds.map((kind, index) => {
    scanner.skipBlanks()
    switch (kind) {
      case 'path':
        return resolvePath(scanner.path(), base)
      case 'string':
        return scanner.string() ?? failWithMessage(`missing string argument ${index + 1} for ${name}`)
      case 'comparator':
        return scanner.take(/(?:==|!=|=~|<=|>=|<|>)/y) ?? failWithMessage(`invalid comparator for command ${name}`)
      case 'number':
        return Number(scanner.take(/\d+/y) ?? 0)
      default:
        return scanner.rest()
    }
  })
  return [name, ...words]
}

function resolvePath(path: string, base: string): string {
  const bare = /^['"]/.test(path) ? path.slice(1, -1) : path
  const whole = bare.endsWith('/') ? bare.slice(0, -1) : bare
  return whole.startsWith('$') || whole.startsWith('/') ? whole : `${base}${whole}`
}

/** Scans the words of one line. */
class Scanner {
  readonly #line: string
  #at: number

  constructor(line: string, at: number) {
    this.#line = line
    this.#at = at
  }

  skipBlanks(): void {
    while (/\s/.test(this.#line[this.#at] ?? '')) this.#at += 1
  }

  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#line)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  rest(): string {
    return this.#line.slice(this.#at)
  }

  /** Reads a path, up to a space outside of brackets and quotes. */
  path(): string {
    const start = this.#at
    let depth = 0
    const open = { "'": false, '"': false }
    for (; this.#at < this.#line.length; this.#at++) {
      const sign = this.#line[this.#at]!
      if (sign === '\\') this.#at += 1
      else if (sign === '[') depth += 1
      else if (sign === ']') depth -= 1
      else if (sign === "'" || sign === '"') open[sign] = !open[sign]
      else if (/\s/.test(sign) && depth === 0 && !open["'"] && !open['"']) break
      if (depth < 0) failWithFormError('unmatched [')
    }
    return this.#line.slice(start, this.#at)
  }

  /** Reads a word or a quoted string, in which only the quote itself is escaped. */
  string(): string | undefined {
    const quote = this.#line[this.#at]
    if (quote !== "'" && quote !== '"') return this.take(/\S+/y)
    const start = this.#at + 1
    let end = start
    while (end < this.#line.length && this.#line[end] !== quote) end += this.#line[end] === '\\' ? 2 : 1
    this.#at = end + 1
    return this.#line.slice(start, end).replaceAll(`\\${quote}`, quote)
  }
}

/** The strings of an array literal, `['a', "b"]`; undefined if the text is not an array. */
export function parseTextList(given: string): readonly string[] | undefined {
  const inner = /^\s*\[(.*)\]\s*$/s.exec(given)?.[1]
  if (inner === undefined) return undefined
  const item = /\s*(?:'((?:[^'\\]|\\['\\])*)'|"((?:[^"\\]|\\.)*)")\s*(?:,|$)/y
  const found: string[] = []
  let at = 0
  while (at < inner.length) {
    item.lastIndex = at
    const [whole, single, double = ''] = item.exec(inner) ?? []
    if (whole === undefined) return inner.trim() === '' ? [] : undefined
    found.push(
      single?.replaceAll(/\\(['\\])/g, '$1') ?? double.replaceAll(/\\(.)/g, (_, sign) => escapes[sign] ?? sign),
    )
    at += whole.length
  }
  return found
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', s: ' ', e: '\x1b', a: '\x07', b: '\b' }
