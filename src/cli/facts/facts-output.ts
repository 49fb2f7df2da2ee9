import { type ExactJson, type ExactObject, entriesOf, exactObject, isExactObject } from '../../base/json/exact-json.ts'
import { printJson } from '../../base/json/json-text.ts'
import { ownValue } from '../../base/own-value.ts'
import { dumpYaml, type YamlShape } from '../../language/ruby-semantics/yaml/dump-yaml.ts'
import type { FactValues } from '../../node/facts/fact.ts'

/** Output formats of Facter. */
export type FactsFormat = 'text' | 'json' | 'yaml' | 'hocon'

/** Formats facts like Facter: all facts, or the queried facts. A value is `undefined` if the fact does not exist. */
export function printFacts(
  values: Readonly<Record<string, ExactJson | undefined>>,
  queries: readonly string[],
  format: FactsFormat,
): string {
  const names = Object.keys(values).sort()
  const known = Object.fromEntries(names.map((name) => [name, inOrder(ownValue(values, name) ?? null)]))
  if (format === 'json') return `${rubyJson(known)}\n`
  if (format === 'yaml') return dumpYaml(yamlShape(known)).replace(/^---\s?\n?/, '')
  const single = queries.length === 1 ? { value: ownValue(known, queries[0]!) ?? null } : undefined
  if (format === 'hocon') return `${hoconOfAll(single ? single.value : known)}\n`
  return `${single ? textOfOne(single.value) : textOfAll(known, queries.length > 0)}\n`
}

/** Sorts the keys of objects recursively; arrays are returned unchanged. */
function inOrder(value: ExactJson): ExactJson {
  if (!isExactObject(value)) return value
  const entries = [...entriesOf(value)].sort(([a], [b]) => (a < b ? -1 : 1))
  return exactObject(entries.map(([key, each]) => [key, inOrder(each ?? null)]))
}

/** JSON in Ruby's layout, in which an empty array or object takes two lines. */
function rubyJson(value: ExactJson, indent = ''): string {
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${rubyJson(item, inner)}`)
    return `[\n${items.join(',\n')}\n${indent}]`
  }
  if (!isExactObject(value)) return printJson(value)
  const members = Array.from(
    entriesOf(value),
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${rubyJson(item ?? null, inner)}`,
  )
  return members.length === 0 ? `{\n${indent}}` : `{\n${members.join(',\n')}\n${indent}}`
}

/**
 * Formats a value like `os => {`: JSON with arrows, without quotes around keys. Facter:
 * formatters/legacy_fact_formatter.rb
 */
function arrows(value: ExactJson): string {
  return rubyJson(value).replace(/":\s/g, '" => ').split('\n').map(withoutKeyQuotes).join('\n').replaceAll('\\\\', '\\')
}

/** Removes the first quote in a line, and the last quote before an arrow. */
function withoutKeyQuotes(line: string): string {
  const [start, end] = [line.indexOf('"'), line.lastIndexOf('" =>')]
  return end > start ? line.slice(0, start) + line.slice(start + 1, end) + line.slice(end + 1) : line
}

function textOfOne(value: ExactJson): string {
  if (typeof value === 'string') return value
  return value === null ? '' : arrows(value).replace(/^"(.*)"/gm, '$1')
}

function textOfAll(values: FactValues, isAsked: boolean): string {
  const shown = isAsked
    ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? '']))
    : values
  const rows = arrows(shown)
    .slice(1, -1)
    .replace(/^$\n/gm, '')
    .replace(/^\s\s(.*)$/gm, '$1')
    .replace(/^\},/gm, '}')
    .split('\n')
  while (rows.at(-1) === '') rows.pop()
  const plain = rows.map((row) => (/^\s/.test(row) ? row : row.replace(/,$|(?<!\\)"/g, '').replaceAll('\\"', '"')))
  const text = plain.join('\n').replaceAll('\\n', '\n')
  return isAsked ? text.replace(/^(\S*) => "(.*)"/gm, '$1 => $2') : text
}

/** Facter: formatters/yaml_fact_formatter.rb. Facter has its own rules for quoting values; keys are quoted only if necessary. */
function yamlShape(value: ExactJson | undefined): YamlShape {
  if (value === null || value === undefined) return written('""')
  if (Array.isArray(value)) return value.map(yamlShape)
  if (isExactObject(value))
    return new Map(Array.from(entriesOf(value), ([key, item]) => [yamlKey(key), yamlShape(item)] as const))
  const text = typeof value === 'string' ? value : printJson(value)
  if (needsQuotes(text)) return written(JSON.stringify(text))
  return typeof value === 'string' ? value : written(text)
}

const written = (text: string): YamlShape => ({ toString: () => text })
const yamlKey = (key: string): YamlShape => (/^[\w./-]+$/.test(key) ? written(key) : key)

function needsQuotes(text: string): boolean {
  if (/true|false/.test(text) || /^[0-9]+$/m.test(text)) return false
  if (/[yYnN:]|True|TRUE|False|FALSE|on|On|ON|off|Off|OFF/.test(text)) return true
  return !/[a-zA-Z]|[0-9]\.[0-9]/.test(text)
}

/** Strings that need no quotes in HOCON. */
const bare = /^(?![\d-]|include)[\p{L}\p{N}-]+$/u
const hoconKey = (text: string): string => (bare.test(text) ? text : JSON.stringify(text))

/** A value as the Ruby library for HOCON renders it; the outermost object has no braces. */
function hoconOfAll(value: ExactJson): string {
  if (typeof value === 'string') return value
  return value === null ? '' : isExactObject(value) ? hoconBody(value, '') : hoconOf(value, '')
}

function hoconOf(value: ExactJson, indent: string): string {
  const inner = `${indent}    `
  if (typeof value === 'string') return bare.test(value) ? value : JSON.stringify(value)
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[\n${value.map((item) => inner + hoconOf(item, inner)).join(',\n')}\n${indent}]`
  if (!isExactObject(value)) return value instanceof Number ? String(value) : printJson(value)
  const body = hoconBody(value, inner)
  return body === '' ? '{}' : `{\n${body}\n${indent}}`
}

function hoconBody(object: ExactObject, indent: string): string {
  return Array.from(
    entriesOf(object),
    ([key, item]) => `${indent}${hoconKey(key)}=${hoconOf(item ?? null, indent)}`,
  ).join('\n')
}
