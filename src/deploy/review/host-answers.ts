import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import type { ExactJson } from '../../base/json/exact-json.ts'
import { getNested, getNestedText } from '../../base/json/nested.ts'
import { isOid } from '../../code/git/ref-names.ts'
import { reviewIssues } from './review-issues.ts'

/** A request in an answer, for messages: the last part of its path. */
type Place = string

/** Returns a text of an answer. Throws REVIEW_ANSWER. */
export function requireText(json: unknown, place: Place, ...keys: readonly string[]): string {
  return getNestedText(json, ...keys) ?? failAnswer(place, keys)
}

/** Returns a whole number of an answer. Throws REVIEW_ANSWER. */
export function requireInteger(json: unknown, place: Place, ...keys: readonly string[]): number {
  const found = getNested(json, ...keys)
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : failAnswer(place, keys)
}

/** Returns a commit ID of an answer. Throws REVIEW_ANSWER. */
export function requireCommit(json: unknown, place: Place, ...keys: readonly string[]): string {
  const found = getNestedText(json, ...keys)?.toLowerCase()
  return found !== undefined && isOid(found) ? found : failAnswer(place, keys)
}

/** Returns the entries of a list of an answer. Throws REVIEW_ANSWER. */
export function requireList(json: unknown, place: Place, ...keys: readonly string[]): readonly ExactJson[] {
  const found = getNested(json, ...keys)
  return Array.isArray(found) ? (found as readonly ExactJson[]) : failAnswer(place, keys)
}

/** Returns the texts of an answer that are commit IDs, complete or abbreviated. */
export function listCommits(...given: readonly unknown[]): readonly string[] {
  return given.filter((each): each is string => typeof each === 'string' && /^[0-9a-f]{12,64}$/.test(each))
}

function failAnswer(place: Place, keys: readonly string[]): never {
  return throwIssue(reviewIssues.REVIEW_ANSWER, { url: place, what: keys.join('.') || 'list' })
}

/** A page of a list; `next` identifies the following page, and is undefined for the last one. */
export interface ListPage<Next> {
  readonly entries: readonly ExactJson[]
  readonly next: Next | undefined
}

/** Calls `each` with the pages of a list until it returns true. Throws REVIEW_TOO_MANY_PAGES. */
export async function scanPages<Next>(
  place: Place,
  first: Next,
  read: (page: Next) => Promise<ListPage<Next>>,
  each: (entries: readonly ExactJson[]) => boolean,
): Promise<void> {
  const { bound } = budgets.review.pages
  let page: Next | undefined = first
  for (let count = 0; page !== undefined; count++) {
    if (count >= bound) throwIssue(reviewIssues.REVIEW_TOO_MANY_PAGES, { url: place, bound })
    const { entries, next }: ListPage<Next> = await read(page)
    if (each(entries)) return
    page = next
  }
}

/** Returns all entries of a list. Throws REVIEW_TOO_MANY_PAGES. */
export async function readPages<Next>(
  place: Place,
  first: Next,
  read: (page: Next) => Promise<ListPage<Next>>,
): Promise<readonly ExactJson[]> {
  const all: ExactJson[] = []
  await scanPages(place, first, read, (entries) => {
    all.push(...entries)
    return false
  })
  return all
}

/** Number of entries of a page of GitHub and GitLab. */
const perPage = 100

/** Returns the query of a numbered page, for `toNumberedPage`. */
export function getPageQuery(page: number): { readonly page: number; readonly per_page: number } {
  return { page, per_page: perPage }
}

/** Returns a page of a list with numbered pages, whose last page is not full. */
export function toNumberedPage(json: ExactJson | undefined, place: Place, page: number): ListPage<number> {
  const entries = requireList(json, place)
  return { entries, next: entries.length < perPage ? undefined : page + 1 }
}
