import type { PageSources } from '../page.ts'
import { ask, type Query } from './ask.ts'

/** Joins conditions with `and`; empty ones are ignored. */
export function allOf(conditions: readonly (Query | undefined | '')[]): Query | undefined {
  const some = conditions.filter((each): each is NonNullable<Query> => each !== undefined && each !== '')
  return some.length > 1 ? ['and', ...some] : some[0]
}

/** Builds an `extract` query of fields, with an optional condition. */
export function extract(fields: readonly Query[], condition?: Query): Query {
  return condition === undefined ? ['extract', fields] : ['extract', fields, condition]
}

/** The condition that a field contains a text, without wildcards. */
export function containing(field: string, part: string): Query {
  return ['~', field, part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')]
}

/** Names of the environments in the store. */
export async function environmentNames(store: PageSources['store']): Promise<readonly string[]> {
  const { rows } = await ask<{ name: string }>(store, { of: 'environments' })
  return rows.map(({ name }) => name).sort()
}
