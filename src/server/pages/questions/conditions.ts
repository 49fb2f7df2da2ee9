import type { PageSources } from '../page.ts'
import { ask, type Query } from './ask.ts'

/** Conditions that all hold; none of those that are empty. */
export function allOf(conditions: readonly (Query | undefined | '')[]): Query | undefined {
  const some = conditions.filter((each): each is NonNullable<Query> => each !== undefined && each !== '')
  return some.length > 1 ? ['and', ...some] : some[0]
}

/** A condition on fields of an entity, with the fields that are wanted. */
export function extract(fields: readonly Query[], condition?: Query): Query {
  return condition === undefined ? ['extract', fields] : ['extract', fields, condition]
}

/** The condition that a text contains another one, as it stands. */
export function containing(field: string, part: string): Query {
  return ['~', field, part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')]
}

/** Names of environments that the store has seen. */
export async function environmentNames(store: PageSources['store']): Promise<readonly string[]> {
  const { rows } = await ask<{ name: string }>(store, { of: 'environments' })
  return rows.map(({ name }) => name).sort()
}
