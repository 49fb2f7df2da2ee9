import type { PageSources } from '../page.ts'
import { queryRows, type StoreQuery } from './store-query.ts'

/** Joins conditions with `and`; empty ones are ignored. */
export function joinConditions(conditions: readonly (StoreQuery | undefined | '')[]): StoreQuery | undefined {
  const some = conditions.filter((each): each is NonNullable<StoreQuery> => each !== undefined && each !== '')
  return some.length > 1 ? ['and', ...some] : some[0]
}

/** Builds an `extract` query of fields, with an optional condition. */
export function createExtractQuery(fields: readonly StoreQuery[], condition?: StoreQuery): StoreQuery {
  return condition === undefined ? ['extract', fields] : ['extract', fields, condition]
}

/** The condition that a field contains a text, without wildcards. */
export function createContainsCondition(field: string, part: string): StoreQuery {
  return ['~', field, part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')]
}

/** Names of the environments in the store. */
export async function readEnvironmentNames(store: PageSources['store']): Promise<readonly string[]> {
  const { rows } = await queryRows<{ name: string }>(store, { of: 'environments' })
  return rows.map(({ name }) => name).sort()
}
