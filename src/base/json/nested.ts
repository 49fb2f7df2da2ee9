import { type ExactJson, getMember, isExactObject } from './exact-json.ts'

/** Returns a value in nested objects; `undefined` if a key is missing. */
export function getNested(value: unknown, ...keys: readonly string[]): unknown {
  let found = value
  for (const key of keys) {
    if (!isExactObject(found as ExactJson)) return undefined
    found = getMember(found as ExactJson, key)
  }
  return found
}

/** Returns a text in nested objects; `undefined` if it is missing, empty or another value. */
export function getNestedText(value: unknown, ...keys: readonly string[]): string | undefined {
  const found = getNested(value, ...keys)
  return typeof found === 'string' && found !== '' ? found : undefined
}
