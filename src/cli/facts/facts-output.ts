import {
  createExactObject,
  type ExactJson,
  type ExactObject,
  getEntries,
  isExactObject,
} from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'
import { getOwnValue } from '../../base/own-property.ts'
import { dumpYaml, type YamlShape } from '../../language/ruby-semantics/yaml/dump-yaml.ts'
import type { FactValues } from '../../node/facts/fact.ts'

/** Output formats of Facter. */
export type FactsFormat = 'text' | 'json' | 'yaml' | 'hocon'

/** Formats facts like Facter: all facts, or the queried facts. A value is `undefined` if the fact does not exist. */
export function formatFacts(
  values: Readonly<Record<string, ExactJson | undefined>>,
  queries: readonly string[],
  format: FactsFormat,
): string {
  const names = Object.keys(values).sort()
  const known = Object.fromEntries(names.map((name) => [name, sortKeys(getOwnValue(values, name) ?? null)]))
  if (format === 'json') return `${formatRubyJson(known)}\n`
  if (format === 'yaml') return dumpYaml(toYamlShape(known)).replace(/^---\s?\n?/, '')
  const single = queries.length === 1 ? { value: getOwnValue(known, queries[0]!) ?? null } : undefined
  if (format === 'hocon') return `${formatHocon(single ? single.value : known)}\n`
  return `${single ? formatFactText(single.value) : formatFactsText(known, queries.length > 0)}\n`
}

/** Sorts the keys of objects recursively; arrays are returned unchanged. */
function sortKeys(value: ExactJson): ExactJson {
  if (!isExactObject(value)) return value
  const entries = [...getEntries(value)].sort(([a], [b]) => (a < b ? -1 : 1))
  return createExactObject(entries.map(([key, each]) => [key, sortKeys(each ?? null)]))
}

/** JSON in Ruby's layout, in which an empty array or object takes two lines. */
function formatRubyJson(value: ExactJson, indent = ''): string {
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${formatRubyJson(item, inner)}`)
    return `[\n${items.join(',\n')}\n${indent}]`
  }
  if (!isExactObject(value)) return formatExactJson(value)
  const members = Array.from(
    getEntries(value),
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${formatRubyJson(item ?? null, inner)}`,
  )
  return members.length === 0 ? `{\n${indent}}` : `{\n${members.join(',\n')}\n${indent}}`
}

/**
 * Formats a value like `os => {`: JSON with arrows, without quotes around keys. Facter:
 * formatters/legacy_fact_formatter.rb
 */
function formatArrows(value: ExactJson): string {
  return formatRubyJson(value)
    .replace(/":\s/g, '" => ')
    .split('\n')
    .map(removeKeyQuotes)
    .join('\n')
    .replaceAll('\\\\', '\\')
}

/** Removes the first quote in a line, and the last quote before an arrow. */
function removeKeyQuotes(line: string): string {
  const [start, end] = [line.indexOf('"'), line.lastIndexOf('" =>')]
  return end > start ? line.slice(0, start) + line.slice(start + 1, end) + line.slice(end + 1) : line
}

function formatFactText(value: ExactJson): string {
  if (typeof value === 'string') return value
  return value === null ? '' : formatArrows(value).replace(/^"(.*)"/gm, '$1')
}

function formatFactsText(values: FactValues, isAsked: boolean): string {
  const shown = isAsked
    ? Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? '']))
    : values
  const rows = formatArrows(shown)
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

/**
 * Converts a fact to YAML as Facter does. Facter has its own rules for quoting values; keys are
 * quoted only if necessary. Facter: formatters/yaml_fact_formatter.rb
 */
function toYamlShape(value: ExactJson | undefined): YamlShape {
  if (value === null || value === undefined) return toRawYaml('""')
  if (Array.isArray(value)) return value.map(toYamlShape)
  if (isExactObject(value))
    return new Map(Array.from(getEntries(value), ([key, item]) => [formatYamlKey(key), toYamlShape(item)] as const))
  const text = typeof value === 'string' ? value : formatExactJson(value)
  if (needsQuotes(text)) return toRawYaml(JSON.stringify(text))
  return typeof value === 'string' ? value : toRawYaml(text)
}

const toRawYaml = (text: string): YamlShape => ({ toString: () => text })
const formatYamlKey = (key: string): YamlShape => (/^[\w./-]+$/.test(key) ? toRawYaml(key) : key)

function needsQuotes(text: string): boolean {
  if (/true|false/.test(text) || /^[0-9]+$/m.test(text)) return false
  if (/[yYnN:]|True|TRUE|False|FALSE|on|On|ON|off|Off|OFF/.test(text)) return true
  return !/[a-zA-Z]|[0-9]\.[0-9]/.test(text)
}

/** Strings that need no quotes in HOCON. */
const bare = /^(?![\d-]|include)[\p{L}\p{N}-]+$/u
const formatHoconKey = (text: string): string => (bare.test(text) ? text : JSON.stringify(text))

/** A value as the Ruby library for HOCON renders it; the outermost object has no braces. */
function formatHocon(value: ExactJson): string {
  if (typeof value === 'string') return value
  return value === null ? '' : isExactObject(value) ? formatHoconBody(value, '') : formatHoconValue(value, '')
}

function formatHoconValue(value: ExactJson, indent: string): string {
  const inner = `${indent}    `
  if (typeof value === 'string') return bare.test(value) ? value : JSON.stringify(value)
  if (Array.isArray(value))
    return value.length === 0
      ? '[]'
      : `[\n${value.map((item) => inner + formatHoconValue(item, inner)).join(',\n')}\n${indent}]`
  if (!isExactObject(value)) return value instanceof Number ? String(value) : formatExactJson(value)
  const body = formatHoconBody(value, inner)
  return body === '' ? '{}' : `{\n${body}\n${indent}}`
}

function formatHoconBody(object: ExactObject, indent: string): string {
  return Array.from(
    getEntries(object),
    ([key, item]) => `${indent}${formatHoconKey(key)}=${formatHoconValue(item ?? null, indent)}`,
  ).join('\n')
}
