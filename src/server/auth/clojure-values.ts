import { defineIssues, throwIssue } from '../../base/issue.ts'
import type { Json } from '../../base/json/json-checks.ts'

const issues = defineIssues({
  AUTH_VALUE_QUOTED: {
    text: (a: { value: string }) => `'${a.value}' begins and ends with a quotation mark`,
    hint: () => 'Remove the quotation marks, as Puppet Server does.',
  },
})

/** The range of a Java `int`. */
const [least, most] = [-(2 ** 31), 2 ** 31 - 1]

/**
 * Converts a value of auth.conf to the type that Puppet Server reads: a string of digits becomes a number, so
 * `pp_zone: "7"` contains a number, not a string. clj-typesafe-config: string->val. Throws AUTH_VALUE_QUOTED.
 */
export function toClojureValue(value: Json | undefined): unknown {
  if (typeof value === 'string') return parseClojureText(value)
  if (Array.isArray(value)) return value.map(toClojureValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toClojureValue(member)]))
}

function parseClojureText(text: string): string | number {
  if (text.startsWith('"') && text.endsWith('"')) throwIssue(issues.AUTH_VALUE_QUOTED, { value: text })
  // Java accepts digits of all scripts, for which the result here is NaN. The value does not matter, since numbers
  // are rejected wherever strings are expected.
  if (!/^[+-]?\p{Nd}+$/u.test(text)) return text
  const number = Number(text)
  return number < least || number > most ? text : number
}
