import type { PageSources } from '../page.ts'
import { formatCount } from '../parts/time-format.ts'
import { queryRows, type StoreQuery } from './store-query.ts'

/** The types of the matching resources, each with its number of resources, as choices of a filter. */
export async function listTypeChoices(
  store: PageSources['store'],
  condition: StoreQuery,
): Promise<readonly (readonly [type: string, label: string])[]> {
  const { rows } = await queryRows<{ type: string; count: number }>(store, {
    of: 'resources',
    query: ['extract', [['function', 'count'], 'type'], condition, ['group_by', 'type']],
  })
  return rows
    .toSorted((a, b) => (a.type < b.type ? -1 : 1))
    .map(({ type, count: number }) => [type, `${type} (${formatCount(number)})`])
}
