import { type ExactJson, getEntries, getMember, isExactObject } from '../../base/json/exact-json.ts'
import { formatExactJson } from '../../base/json/json-text.ts'

/** The values of a fact, or of a part of a fact, before and after; `undefined` if the fact is missing. */
export interface ChangedPath {
  /** Path in the facts, such as `memory.system.total`. */
  readonly path: string
  readonly before: ExactJson | undefined
  readonly after: ExactJson | undefined
}

/** Facts that change in each run. */
const volatileNames: ReadonlySet<string> = new Set([
  ...['load_averages', 'system_uptime', 'uptime', 'uptime_days', 'uptime_hours', 'uptime_seconds'],
  ...['memoryfree', 'memoryfree_mb', 'swapfree', 'swapfree_mb'],
])
/** Structured facts whose fields `measuredFields` change in each run; their other fields do not. */
const measuredNames: ReadonlySet<string> = new Set(['memory', 'mountpoints'])
const measuredFields: ReadonlySet<string> = new Set([
  ...['available', 'available_bytes', 'used', 'used_bytes', 'capacity'],
])

/** Maximum number of paths in a line. */
const mostPaths = 10

/** The innermost paths at which the values of a fact differ; lists count as a whole. */
export function listChangedPaths(
  path: string,
  before: ExactJson | undefined,
  after: ExactJson | undefined,
): readonly ChangedPath[] {
  if (!isExactObject(before ?? null) || !isExactObject(after ?? null)) {
    const isSame = before !== undefined && after !== undefined && formatExactJson(before) === formatExactJson(after)
    return isSame ? [] : [{ path, before, after }]
  }
  const names = new Set([before, after].flatMap((each) => [...getEntries(each as never)].map(([name]) => name)))
  return [...names].flatMap((name) =>
    listChangedPaths(`${path}.${name}`, getMember(before as never, name), getMember(after as never, name)),
  )
}

/** True for a path whose value changes in each run, such as `system_uptime.seconds` and `mountpoints./.used`. */
export function isVolatilePath(path: string): boolean {
  const [name = ''] = path.split('.')
  return (
    volatileNames.has(name) || (measuredNames.has(name) && measuredFields.has(path.slice(path.lastIndexOf('.') + 1)))
  )
}

/** Formats changes as `2 of 97 changed: kernelrelease, os.release.minor`; optionally with the values. */
export function formatChanges(
  paths: readonly ChangedPath[],
  facts: number,
  { values }: { readonly values: boolean },
): string {
  const count = new Set(paths.map(({ path }) => path.split('.')[0])).size
  const formatValue = (value: ExactJson | undefined) => (value === undefined ? '(none)' : formatExactJson(value))
  const named = values ? paths : paths.slice(0, mostPaths)
  const words = named.map(({ path, before, after }) =>
    values ? `${path}: ${formatValue(before)} => ${formatValue(after)}` : path,
  )
  const more = paths.length - named.length
  return `${count} of ${facts} changed: ${words.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
