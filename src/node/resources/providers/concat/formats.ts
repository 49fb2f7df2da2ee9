import { compact, pretty, readJson, writeJson } from '../../../../language/module-functions/stdlib/json.ts'
import { dumpYaml, type YamlShape } from '../../../../language/ruby-semantics/yaml/dump-yaml.ts'
import { rubyText } from '../../../../language/types/printing/ruby-text.ts'
import { Hash } from '../../../../language/values/hash.ts'
import type { Value } from '../../../../language/values/value.ts'
import { parseYaml } from '../../../../language/values/yaml.ts'

/** Data formats of fragments. */
type Format = 'yaml' | 'json' | 'json-array' | 'json-pretty' | 'json-array-pretty'

/**
 * Merges the data of several texts into one text. If two texts set different values for a key,
 * keeps the first value and calls `replaced` with a message; throws if `replaced` is undefined.
 */
export function merged(texts: readonly string[], format: Format, replaced?: (message: string) => void): string {
  const read = format === 'yaml' ? (text: string) => parseYaml(text, noClasses) : readJson
  const values = texts.map(read)
  const layout = format.endsWith('pretty') ? pretty : compact
  if (format.startsWith('json-array')) return writeJson(values, layout)
  const whole = values.reduce((all, each) => merge(all, each, replaced), Hash.of([]))
  return format === 'yaml' ? dumpYaml(shapeOf(whole)) : writeJson(whole, layout)
}

const noClasses = { aliases: false }

function isNothing(value: Value): boolean {
  if (value instanceof Hash) return value.size === 0
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Merges arrays without duplicates, and hashes key by key. An empty value is replaced by the other value. */
function merge(one: Value, other: Value, replaced?: (message: string) => void): Value {
  if (isNothing(other)) return one
  if (isNothing(one)) return other
  if (Array.isArray(one) && Array.isArray(other))
    return [...new Map([...one, ...other].map((each) => [writeJson(each as Value), each])).values()] as Value
  if (!(one instanceof Hash) || !(other instanceof Hash))
    throw new Error(`no implicit conversion of ${rubyText(other)} into Hash`)
  const entries = [...one].map(([key, value]): readonly [Value, Value] =>
    other.has(key) ? [key, mergeKey(key, value, other.get(key), replaced)] : [key, value],
  )
  return Hash.of([...entries, ...[...other].filter(([key]) => !one.has(key))])
}

function mergeKey(key: Value, one: Value, other: Value, replaced?: (message: string) => void): Value {
  if ((one instanceof Hash && other instanceof Hash) || (Array.isArray(one) && Array.isArray(other)))
    return merge(one, other, replaced)
  if (writeJson(one) === writeJson(other)) return one
  const [name, first, second] = [rubyText(key), rubyText(one), rubyText(other)]
  // The module's message lacks the closing quote, too.
  if (!replaced)
    throw new Error(
      `Duplicate key '${name}' found with values '${first}' and ${second}'. Use 'force' attribute to merge keys.`,
    )
  replaced(`Key '${name}': replacing '${second}' with '${first}'.`)
  return one
}

function shapeOf(value: Value): YamlShape {
  if (value instanceof Hash) return new Map([...value].map(([key, each]) => [shapeOf(key), shapeOf(each)]))
  return Array.isArray(value) ? value.map((each) => shapeOf(each as Value)) : (value as YamlShape)
}
