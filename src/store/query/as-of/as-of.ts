import type { Database } from '../../database/database.ts'
import type { Ast } from '../ast.ts'
import { certnamesOf, checkEntities } from './mentioned.ts'
import { momentOf } from './moment.ts'
import { pastDatabase } from './past-database.ts'
import { pastNodes } from './past-nodes.ts'

/**
 * Returns a database that shows the state at a past moment, for a query `["from", ENTITY, …]`.
 * Throws INVALID_QUERY.
 */
export async function databaseAsOf(database: Database, asOf: Ast, query: Ast): Promise<Database> {
  checkEntities(query)
  const moment = await momentOf(database, asOf)
  return pastDatabase(database, await pastNodes(database, moment, certnamesOf(query)))
}
