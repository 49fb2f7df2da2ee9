import { sqlite } from '../../../store/database/dialect.ts'
import { functions } from '../../../store/query/ast.ts'
import { entitiesOf, selectable } from '../../../store/query/entities.ts'
import { projectable, queryable } from '../../../store/query/entity.ts'

/** The names that a query may be made of: those that the store itself goes by. */
export interface Words {
  /** The fields of each entity, with the kind of their values. */
  readonly entities: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly functions: readonly string[]
  readonly keywords: readonly string[]
}

/** Words of PQL between names. */
const keywords = ['and', 'or', 'in', 'is null', 'is not null', 'group by', 'order by', 'asc', 'desc', 'limit', 'offset']

/** Names for the completion of the console. */
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
