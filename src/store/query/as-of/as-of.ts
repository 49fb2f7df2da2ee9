import type { Database } from '../../database/database.ts'
import type { Ast } from '../ast.ts'
import { parseMoment } from './moment.ts'
import { createPastDatabase } from './past-database.ts'
import { readPastNodes } from './past-nodes.ts'
import { checkEntities, findRestrictedCertnames } from './query-entities.ts'

/**
 * Returns a database that shows the past state requested by `as_of`, for a query `["from", ENTITY,
 * …]`. Throws INVALID_QUERY.
 */
export async function openPastDatabase(database: Database, asOf: Ast, query: Ast): Promise<Database> {
  checkEntities(query)
  const moment = await parseMoment(database, asOf)
  return createPastDatabase(database, await readPastNodes(database, moment, findRestrictedCertnames(query)))
}
