import { budgets } from '../../base/budgets/budgets.ts'
import { throwIssue } from '../../base/issue.ts'
import { type ExactJson, getEntries, isExactObject } from '../../base/json/exact-json.ts'
import type { Source, SourceSpan } from '../../base/source.ts'
import { type NodePosition, toNodeKey, type YamlPath } from '../../language/ruby-semantics/yaml/node-positions.ts'
import { defineDuration } from '../../machine/settings/kinds.ts'
import { rolloutIssues } from './rollout-issues.ts'

/** The file of a plan, with the positions of its keys. */
export interface PlanFile {
  readonly source: Source
  readonly marks: ReadonlyMap<string, NodePosition>
}

/** A value in the file; undefined if its key is missing or empty. */
export interface PlanValue {
  readonly value: ExactJson | undefined
  readonly path: YamlPath
  readonly file: PlanFile
}

/** A mapping in the file. */
export interface PlanMapping {
  /** Returns the value of a key. */
  get(key: string): PlanValue
  readonly self: PlanValue
}

/** Formats the path of a value, such as `waves[0].nodes`. */
export function formatPlanPath({ path }: Pick<PlanValue, 'path'>): string {
  if (path.length === 0) return 'the rollout'
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('')
}

/** Returns the position of a value; for a missing value, that of the mapping that lacks it. */
export function getPlanSpan({ path, file: { source, marks } }: PlanValue): SourceSpan {
  for (let steps = path.length; steps > 0; steps--) {
    const start = marks.get(toNodeKey(path.slice(0, steps)))?.mark.index
    if (start !== undefined) return { source, start, end: start }
  }
  return { source, start: 0, end: 0 }
}

/** Throws ROLLOUT_VALUE. `expected` is a noun phrase. */
export function failPlanValue(
  given: PlanValue,
  expected: string,
  near: { readonly known?: readonly string[]; readonly given?: string } = {},
): never {
  return throwIssue(
    rolloutIssues.ROLLOUT_VALUE,
    { place: formatPlanPath(given), expected, ...near },
    getPlanSpan(given),
  )
}

/** Throws ROLLOUT_MISSING. */
export function failMissingValue(given: PlanValue, what: string): never {
  return throwIssue(rolloutIssues.ROLLOUT_MISSING, { place: formatPlanPath(given), what }, getPlanSpan(given))
}

/** Returns a mapping with no other keys than the known ones; empty if the value is missing. */
export function toPlanMapping(self: PlanValue, known: readonly string[]): PlanMapping {
  const { value, path, file } = self
  if (value !== undefined && !isExactObject(value)) failPlanValue(self, 'a hash')
  const values = new Map(getEntries(value ?? {}))
  for (const key of values.keys())
    if (!known.includes(key)) {
      const place = formatPlanPath(self)
      throwIssue(rolloutIssues.ROLLOUT_KEY, { key, place, known }, getPlanSpan({ ...self, path: [...path, key] }))
    }
  return { self, get: (key) => ({ value: values.get(key) ?? undefined, path: [...path, key], file }) }
}

/** Returns the items of a list of at most `most` items; empty if the value is missing. */
export function getPlanItems(given: PlanValue, most: number): readonly PlanValue[] {
  const { value = [], path, file } = given
  if (!Array.isArray(value)) failPlanValue(given, 'an array')
  const items = value as readonly ExactJson[]
  if (items.length > most) failPlanValue(given, `an array of at most ${most} items`)
  return items.map((item, index) => ({ value: item ?? undefined, path: [...path, index], file }))
}

/** Returns a text that is neither empty nor too long; undefined if the value is missing. */
export function getPlanText(given: PlanValue, most: number): string | undefined {
  const { value } = given
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.trim() === '') return failPlanValue(given, 'a string')
  return value.length <= most ? value : failPlanValue(given, `a string of at most ${most} characters`)
}

/** Returns one of the known words, or the standard one if the value is missing. */
export function getPlanChoice<const Word extends string>(
  given: PlanValue,
  known: readonly Word[],
  standard: Word,
): Word {
  const { value = standard } = given
  const found = known.find((each) => each === value)
  if (found !== undefined) return found
  return failPlanValue(given, `one of ${known.join(', ')}`, {
    known,
    ...(typeof value === 'string' && { given: value }),
  })
}

/** Returns true or false, or the standard value if the value is missing. */
export function getPlanBoolean(given: PlanValue, standard: boolean): boolean {
  const { value = standard } = given
  return typeof value === 'boolean' ? value : failPlanValue(given, 'true or false')
}

/** Returns a finite number; undefined if the value is missing. */
export function getPlanNumber(given: PlanValue): number | undefined {
  const { value } = given
  if (value === undefined) return undefined
  const number = typeof value === 'number' || value instanceof Number ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : failPlanValue(given, 'a number')
}

/** Returns a whole number from `least` to `most`; undefined if the value is missing. */
export function getPlanInteger(given: PlanValue, least: number, most: number): number | undefined {
  const { value } = given
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  return failPlanValue(given, `a whole number from ${least} to ${most}`)
}

/** Returns a share over 0 and at most 100, from a text such as `5%`; undefined for another value. */
export function parsePercentage(text: ExactJson | undefined): number | undefined {
  const [, digits] = /^(\d{1,3}(?:\.\d{1,6})?)\s{0,5}%$/.exec(typeof text === 'string' ? text : '') ?? []
  const percent = Number(digits)
  return percent > 0 && percent <= 100 ? percent : undefined
}

const { kind: durationKind } = defineDuration({ doc: '' })

/** Returns a duration in seconds, from a number of seconds or a text such as `10m`; undefined if the value is missing. */
export function getPlanDuration(given: PlanValue, mostDays: number): number | undefined {
  const { value } = given
  if (value === undefined) return undefined
  const seconds = typeof value === 'string' || typeof value === 'number' ? durationKind.parse(String(value)) : undefined
  if (seconds !== undefined && seconds <= mostDays * 86_400) return seconds
  return failPlanValue(given, `a duration such as 10m, 1h or 0, of at most ${mostDays} days`)
}

/** Returns the URL of a web server, without credentials, which pages would show. Throws ROLLOUT_MISSING. */
export function getPlanUrl(mapping: PlanMapping, key: string): string {
  const given = mapping.get(key)
  const text = getPlanText(given, budgets.rollout.url.bound) ?? failMissingValue(mapping.self, key)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '')
    return text
  return failPlanValue(given, 'a URL such as https://prometheus.example.com:9090, without a user')
}
