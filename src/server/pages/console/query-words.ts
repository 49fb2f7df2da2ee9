import { sqlite } from '../../../store/database/dialect.ts'
import { queryFunctions } from '../../../store/query/ast.ts'
import { getEntities, selectable } from '../../../store/query/entities.ts'
import { listProjectableFields, listQueryableFields } from '../../../store/query/entity.ts'

/** Completion candidates of the query editor: entities, fields, functions and keywords. */
export interface QueryWords {
  /** The fields of each entity, with their types. */
  readonly entities: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly functions: readonly string[]
  readonly keywords: readonly string[]
}

/** Keywords of PQL. */
const keywords = ['and', 'or', 'in', 'is null', 'is not null', 'group by', 'order by', 'asc', 'desc', 'limit', 'offset']

/** Collects the completion candidates from the store's query definitions. */
export function listQueryWords(): QueryWords {
  const entities = getEntities(sqlite)
  const listFields = (name: string) => {
    const entity = entities[name]!
    const names = [...new Set([...listQueryableFields(entity), ...listProjectableFields(entity)])].sort()
    return Object.fromEntries(names.map((field) => [field, entity.fields[field]!.type]))
  }
  return {
    entities: Object.fromEntries([...selectable, 'fact_names'].sort().map((name) => [name, listFields(name)])),
    functions: Object.keys(queryFunctions).sort(),
    keywords,
  }
}
