import { type ExactJson, entriesOf, exactObject, isExactObject } from '../base/json/exact-json.ts'

/** A value of the wire with something else in the place of each Sensitive one in it, made of what that one holds. */
export function withoutSecrets(value: ExactJson, instead: (secret: ExactJson | undefined) => ExactJson): ExactJson {
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, instead))
  if (!isExactObject(value)) return value
  const entries = [...entriesOf(value)].map(([key, each]) => [key, each ?? null] as const)
  const of = new Map<string, ExactJson>(entries)
  if (of.get('__ptype') === 'Sensitive') return instead(of.get('__pvalue'))
  return exactObject(entries.map(([key, each]) => [key, withoutSecrets(each, instead)]))
}
