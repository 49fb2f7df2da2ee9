import { type ExactJson, isExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'

/** Schema of a JSON body, equivalent to Puppet Server's own schemas. */
export type Schema =
  | { readonly kind: 'string' | 'boolean' | 'map' | 'map or maps' }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'matching'; readonly pattern: RegExp; readonly name: string }
  | {
      readonly kind: 'record'
      readonly required: Fields
      readonly optional: Fields
      readonly order?: readonly string[]
    }

type Fields = Readonly<Record<string, Schema>>

/** Schema of a string. */
export const stringSchema: Schema = { kind: 'string' }
/** Schema of a boolean. */
export const booleanSchema: Schema = { kind: 'boolean' }
/** Schema of an object whose field `values` is an object. */
export const valuesSchema: Schema = { kind: 'record', required: { values: { kind: 'map' } }, optional: {} }

/** Maximum number of characters of an invalid value in an error message. */
const mostShown = 100
/** Maximum number of unknown keys in an error message. */
const mostUnknown = 20

/**
 * Validates a value; returns an error message in the format of Puppet Server's Clojure schemas, or
 * `undefined` if the value is valid.
 */
export function findSchemaViolation(value: ExactJson, schema: Schema): string | undefined {
  switch (schema.kind) {
    case 'string':
      return typeof value === 'string' ? undefined : formatViolation('instance? String', value)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : formatViolation('instance? Boolean', value)
    case 'map':
      return isExactObject(value) ? undefined : formatViolation('map?', value)
    case 'map or maps': {
      const isFine = isExactObject(value) || (Array.isArray(value) && value.every((each) => isExactObject(each)))
      return isFine ? undefined : formatViolation('some-matching-either-clause?', value)
    }
    case 'words':
      if (typeof value === 'string' && schema.words.includes(value)) return undefined
      return formatViolation(`#{${schema.words.map((word) => `"${word}"`).join(' ')}}`, value)
    case 'matching':
      if (typeof value !== 'string') return formatViolation('instance? String', value)
      return schema.pattern.test(value) ? undefined : formatViolation(schema.name, value)
    case 'record':
      return findRecordViolation(value, schema)
  }
}

function findRecordViolation(value: ExactJson, schema: Schema & { readonly kind: 'record' }): string | undefined {
  if (!isExactObject(value)) return formatViolation('map?', value)
  const given = new Map(value instanceof Map ? value : (Object.entries(value) as [string, ExactJson][]))
  const fields = new Map(Object.entries({ ...schema.required, ...schema.optional }))
  const known = schema.order ?? [...fields.keys()]
  const wrong = known.flatMap((name) => {
    const each = given.get(name)
    if (each === undefined) return Object.hasOwn(schema.required, name) ? [`"${name}" missing-required-key`] : []
    const complaint = findSchemaViolation(each, fields.get(name)!)
    return complaint === undefined ? [] : [`"${name}" ${complaint}`]
  })
  const unknown = [...given.keys()].filter((name) => !fields.has(name))
  wrong.push(...unknown.slice(0, mostUnknown).map((name) => `${formatClojureValue(name)} disallowed-key`))
  if (unknown.length > mostUnknown) wrong.push('…')
  return wrong.length === 0 ? undefined : `{${wrong.join(', ')}}`
}

function formatViolation(test: string, value: ExactJson): string {
  return `(not (${test} ${formatClojureValue(value)}))`
}

/** Prints a value in Clojure's format; long values are truncated. */
function formatClojureValue(value: ExactJson): string {
  if (value === null) return 'nil'
  const text = Array.isArray(value) ? (value.length === 0 ? '[]' : '[…]') : isExactObject(value) ? '{…}' : undefined
  return text ?? formatExactJson(typeof value === 'string' ? value.slice(0, mostShown) : value)
}
