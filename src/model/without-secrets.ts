import { type ExactJson, entriesOf, exactObject, isExactObject } from '../base/json/exact-json.ts'

/**
 * Replaces each Sensitive value in a wire-format value; the replacement is the result of `instead` for the unwrapped
 * value.
 */
export function withoutSecrets(value: ExactJson, instead: (secret: ExactJson | undefined) => ExactJson): ExactJson {
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, instead))
  if (!isExactObject(value)) return value
  const entries = [...entriesOf(value)].map(([key, each]) => [key, each ?? null] as const)
  const of = new Map<string, ExactJson>(entries)
  if (of.get('__ptype') === 'Sensitive') return instead(of.get('__pvalue'))
  return exactObject(entries.map(([key, each]) => [key, withoutSecrets(each, instead)]))
}
