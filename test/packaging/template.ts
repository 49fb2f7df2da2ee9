import { createHash } from 'node:crypto'

/** A value that a template of a chart works with. */
type Value = unknown

/** The release that a chart is rendered for, its values, and its own templates by name. */
export interface Chart {
  readonly data: Readonly<Record<string, Value>>
  /** Files of the chart by path, below `templates/` for those that `include` may name. */
  readonly files: Readonly<Record<string, string>>
  toYaml(value: Value): string
}

type Part = { readonly text: string } | { readonly action: string }

/**
 * Renders a template of a chart: as much of Go's text/template and of Helm's functions as our chart uses, for machines
 * without Helm. What it does not know it refuses.
 */
export function render(text: string, chart: Chart): string {
  const defined = new Map<string, readonly Part[]>()
  for (const file of Object.values(chart.files))
    for (const [, name = '', body = ''] of file.matchAll(
      /\{\{-? define "([^"]+)" -?\}\}([\s\S]*?)\{\{-? end -?\}\}(?=\s*(?:\{\{-? define|$))/g,
    ))
      defined.set(name, partsOf(body.trim()))
  return new Renderer(chart, defined).run(partsOf(text), chart.data)
}

function partsOf(text: string): Part[] {
  const parts: Part[] = []
  let rest = text
  for (
    let found = /\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}/.exec(rest);
    found;
    found = /\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}/.exec(rest)
  ) {
    const before = rest.slice(0, found.index)
    parts.push({ text: found[1] ? before.trimEnd() : before }, { action: found[2]! })
    rest = rest.slice(found.index + found[0].length)
    if (found[3]) rest = rest.trimStart()
  }
  return [...parts, { text: rest }]
}

class Renderer {
  readonly #chart: Chart
  readonly #defined: ReadonlyMap<string, readonly Part[]>
  #variables: Record<string, Value> = {}

  constructor(chart: Chart, defined: ReadonlyMap<string, readonly Part[]>) {
    this.#chart = chart
    this.#defined = defined
  }

  run(parts: readonly Part[], dot: Value): string {
    let out = ''
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]!
      if ('text' in part) out += part.text
      else if (/^(?:if|with|range)\b/.test(part.action)) {
        const end = endOf(parts, at)
        out += this.#block(part.action, parts.slice(at + 1, end), dot)
        at = end
      } else out += text(this.#value(part.action, dot))
    }
    return out
  }

  #block(action: string, body: readonly Part[], dot: Value): string {
    const [word = '', ...rest] = action.split(' ')
    const [then, ...others] = branches(body)
    if (word === 'range') {
      const [, key, value, list = ''] = /^range \$(\w+), \$(\w+) := (.*)$/.exec(action) ?? []
      const entries = Object.entries((this.#value(list, dot) ?? {}) as Record<string, Value>)
      return entries
        .map(([name, each]) => {
          this.#variables = { ...this.#variables, [key!]: name, [value!]: each }
          return this.run(then!.parts, dot)
        })
        .join('')
    }
    const found = this.#value(rest.join(' '), dot)
    if (truthy(found)) return this.run(then!.parts, word === 'with' ? found : dot)
    for (const { test, parts } of others)
      if (test === undefined || truthy(this.#value(test, dot))) return this.run(parts, dot)
    return ''
  }

  #value(expression: string, dot: Value): Value {
    const [first = '', ...pipes] = expression.split(' | ')
    return pipes.reduce<Value>(
      (value, pipe) => this.#call(words(pipe), dot, [value]),
      this.#call(words(first), dot, []),
    )
  }

  #call([name = '', ...given]: readonly string[], dot: Value, piped: readonly Value[]): Value {
    const args = [...given.map((word) => this.#operand(word, dot)), ...piped]
    if (given.length === 0 && piped.length === 0) return this.#operand(name, dot)
    const [one, two] = args
    switch (name) {
      case 'include':
        return this.#include(String(one), two)
      case 'printf':
        return args.slice(1).reduce<string>((format, each) => format.replace('%s', String(each)), String(one))
      case 'print':
        return args.join('')
      case 'default':
        return truthy(two) ? two : one
      case 'trunc':
        return String(two).slice(0, Number(one))
      case 'trimSuffix':
        return String(two).endsWith(String(one)) ? String(two).slice(0, -String(one).length) : two
      case 'toYaml':
        return this.#chart.toYaml(one).trimEnd()
      case 'nindent':
        return `\n${String(two)
          .split('\n')
          .map((line) => ' '.repeat(Number(one)) + line)
          .join('\n')}`
      case 'sha256sum':
        return createHash('sha256').update(String(one)).digest('hex')
      case 'not':
        return !truthy(one)
      case 'and':
        return args.find((each) => !truthy(each)) ?? args.at(-1)
      default:
        throw new Error(`The function ${name} is not known`)
    }
  }

  #include(name: string, dot: Value): string {
    const parts = this.#defined.get(name) ?? partsOf(this.#chart.files[name] ?? '')
    if (parts.length === 1 && 'text' in parts[0]! && parts[0].text === '')
      throw new Error(`There is no template ${name}`)
    return this.run(parts, dot)
  }

  #operand(word: string, dot: Value): Value {
    if (word.startsWith('(')) return this.#value(word.slice(1, -1), dot)
    if (word.startsWith('"')) return JSON.parse(word)
    if (/^\d+$/.test(word)) return Number(word)
    if (word === '.') return dot
    const [, variable, path = ''] = /^(\$\w*)?(\.[\w.]+)?$/.exec(word) ?? []
    if (variable === undefined && path === '') throw new Error(`'${word}' is not known`)
    const start =
      variable === undefined ? dot : variable === '$' ? this.#chart.data : this.#variables[variable.slice(1)]
    return path
      .split('.')
      .filter(Boolean)
      .reduce<Value>((value, name) => {
        const members = (value ?? {}) as Record<string, Value>
        if (!Object.hasOwn(members, name)) throw new Error(`There is no value ${word}`)
        return members[name]
      }, start)
  }
}

function endOf(parts: readonly Part[], start: number): number {
  let depth = 0
  for (let at = start; at < parts.length; at++) {
    const part = parts[at]!
    if (!('action' in part)) continue
    if (/^(?:if|with|range)\b/.test(part.action)) depth++
    if (part.action === 'end' && --depth === 0) return at
  }
  throw new Error('A block has no end')
}

interface Branch {
  readonly test: string | undefined
  readonly parts: Part[]
}

function branches(body: readonly Part[]): Branch[] {
  const all: Branch[] = [{ test: undefined, parts: [] }]
  let depth = 0
  for (const part of body) {
    const action = 'action' in part ? part.action : ''
    if (depth === 0 && /^else\b/.test(action)) {
      const test = action.replace(/^else(?: if)?\s*/, '')
      all.push({ test: test === '' ? undefined : test, parts: [] })
      continue
    }
    if (/^(?:if|with|range)\b/.test(action)) depth++
    if (action === 'end') depth--
    all.at(-1)!.parts.push(part)
  }
  return all
}

const words = (expression: string): string[] =>
  expression.match(/"(?:[^"\\]|\\.)*"|\((?:[^()]|\([^()]*\))*\)|[^\s()]+/g) ?? []

function truthy(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return value !== '' && value !== 0 && value !== false && value !== undefined && value !== null
}

const text = (value: Value): string => (value === undefined || value === null ? '' : String(value))
