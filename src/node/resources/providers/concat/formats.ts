import { compact, formatJson, parseStdlibJson, pretty } from '../../../../language/module-functions/stdlib/json.ts'
import { dumpYaml, type YamlShape } from '../../../../language/ruby-semantics/yaml/dump-yaml.ts'
import { formatAsString } from '../../../../language/types/printing/ruby-text.ts'
import { Hash } from '../../../../language/values/hash.ts'
import type { Value } from '../../../../language/values/value.ts'
import { parseYaml } from '../../../../language/values/yaml.ts'

/** Data formats of fragments. */
type Format = 'yaml' | 'json' | 'json-array' | 'json-pretty' | 'json-array-pretty'

/**
 * Merges the data of several texts into one text. If two texts set different values for a key,
 * keeps the first value and calls `replaced` with a message; throws if `replaced` is undefined.
 */
export function mergeTexts(texts: readonly string[], format: Format, replaced?: (message: string) => void): string {
  const read = format === 'yaml' ? (text: string) => parseYaml(text, noClasses) : parseStdlibJson
  const values = texts.map(read)
  const layout = format.endsWith('pretty') ? pretty : compact
  if (format.startsWith('json-array')) return formatJson(values, layout)
  const whole = values.reduce((all, each) => mergeValues(all, each, replaced), Hash.of([]))
  return format === 'yaml' ? dumpYaml(toYamlShape(whole)) : formatJson(whole, layout)
}

const noClasses = { aliases: false }

function isEmptyValue(value: Value): boolean {
  if (value instanceof Hash) return value.size === 0
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Merges arrays without duplicates, and hashes key by key. An empty value is replaced by the other value. */
function mergeValues(one: Value, other: Value, replaced?: (message: string) => void): Value {
  if (isEmptyValue(other)) return one
  if (isEmptyValue(one)) return other
  if (Array.isArray(one) && Array.isArray(other))
    return [...new Map([...one, ...other].map((each) => [formatJson(each as Value), each])).values()] as Value
  if (!(one instanceof Hash) || !(other instanceof Hash))
    throw new Error(`no implicit conversion of ${formatAsString(other)} into Hash`)
  const entries = [...one].map(([key, value]): readonly [Value, Value] =>
    other.has(key) ? [key, mergeKey(key, value, other.get(key), replaced)] : [key, value],
  )
  return Hash.of([...entries, ...[...other].filter(([key]) => !one.has(key))])
}

function mergeKey(key: Value, one: Value, other: Value, replaced?: (message: string) => void): Value {
  if ((one instanceof Hash && other instanceof Hash) || (Array.isArray(one) && Array.isArray(other)))
    return mergeValues(one, other, replaced)
  if (formatJson(one) === formatJson(other)) return one
  const [name, first, second] = [formatAsString(key), formatAsString(one), formatAsString(other)]
  // The closing quote is missing, as in the message of the module concat.
  if (!replaced)
    throw new Error(
      `Duplicate key '${name}' found with values '${first}' and ${second}'. Use 'force' attribute to merge keys.`,
    )
  replaced(`Key '${name}': replacing '${second}' with '${first}'.`)
  return one
}

function toYamlShape(value: Value): YamlShape {
  if (value instanceof Hash) return new Map([...value].map(([key, each]) => [toYamlShape(key), toYamlShape(each)]))
  return Array.isArray(value) ? value.map((each) => toYamlShape(each as Value)) : (value as YamlShape)
}
