import { createExactObject, type ExactJson, getEntries, isExactObject } from '../base/json/exact-json.ts'

/**
 * Replaces each Sensitive value in a wire-format value; the replacement is the result of `instead` for the unwrapped
 * value. `path` has the keys and indexes that lead to the value, each after a slash.
 */
export function redactSecrets(
  value: ExactJson,
  instead: (secret: ExactJson | undefined, path: string) => ExactJson,
  path = '',
): ExactJson {
  if (Array.isArray(value)) return value.map((each, index) => redactSecrets(each, instead, `${path}/${index}`))
  if (!isExactObject(value)) return value
  const entries = [...getEntries(value)].map(([key, each]) => [key, each ?? null] as const)
  const of = new Map<string, ExactJson>(entries)
  if (of.get('__ptype') === 'Sensitive') return instead(of.get('__pvalue'), path)
  return createExactObject(entries.map(([key, each]) => [key, redactSecrets(each, instead, `${path}/${key}`)]))
}
