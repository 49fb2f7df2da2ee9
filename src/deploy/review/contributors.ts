import { getNestedText } from '../../base/json/nested.ts'
import { requireText } from './host-answers.ts'

/**
 * Returns the people in entries of an answer, in lower case: the texts at some paths, which are accounts, names or e-mail
 * addresses.
 */
export function listPeople(entries: readonly unknown[], paths: readonly (readonly string[])[]): readonly string[] {
  return entries.flatMap((entry) => paths.flatMap((path) => getNestedText(entry, ...path)?.toLowerCase() ?? []))
}

/** True if one of the accounts, names or e-mail addresses of a person is among the people. */
export function isAmong(people: ReadonlySet<string>, ...identities: readonly (string | undefined)[]): boolean {
  return identities.some((each) => each !== undefined && people.has(each.toLowerCase()))
}

/** Returns the last of the times in entries of an answer, in milliseconds; `-Infinity` if there are none. Throws REVIEW_ANSWER. */
export function getLastTime(entries: readonly unknown[], place: string, key: string): number {
  return Math.max(...entries.map((entry) => Date.parse(requireText(entry, place, key))))
}
