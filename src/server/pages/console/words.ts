import { sqlite } from '../../../store/database/dialect.ts'
import { functions } from '../../../store/query/ast.ts'
import { entitiesOf, selectable } from '../../../store/query/entities.ts'
import { projectable, queryable } from '../../../store/query/entity.ts'

/** Names for completion, from the definitions of the store. */
export interface Words {
  /** The fields of each entity, with the types of their values. */
  readonly entities: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly functions: readonly string[]
  readonly keywords: readonly string[]
}

/** Keywords of PQL. */
const keywords = ['and', 'or', 'in', 'is null', 'is not null', 'group by', 'order by', 'asc', 'desc', 'limit', 'offset']

/** Collects the names for completion. */
export function queryWords(): Words {
  const entities = entitiesOf(sqlite)
  const fieldsOf = (name: string) => {
    const entity = entities[name]!
    const names = [...new Set([...queryable(entity), ...projectable(entity)])].sort()
    return Object.fromEntries(names.map((field) => [field, entity.fields[field]!.type]))
  }
  return {
    entities: Object.fromEntries([...selectable, 'fact_names'].sort().map((name) => [name, fieldsOf(name)])),
    functions: Object.keys(functions).sort(),
    keywords,
  }
}
