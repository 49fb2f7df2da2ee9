import type { StoreCommand } from '../commands/command.ts'
import type { Database } from '../database/database.ts'
import { replaceCatalogInputs } from './catalog-inputs.ts'
import { replaceCatalog } from './catalogs.ts'
import { replaceFacts } from './facts.ts'
import { deactivateNode, type IngestOutcome, setExpiration } from './nodes.ts'
import { addReport } from './reports.ts'

/**
 * Writes a command inside a transaction. The command with the newest `producer_timestamp` wins,
 * regardless of the order of arrival.
 */
export function ingest(database: Database, command: StoreCommand, received: number): Promise<IngestOutcome> {
  switch (command.name) {
    case 'replace catalog':
      return replaceCatalog(database, command.payload, received)
    case 'replace facts':
      return replaceFacts(database, command.payload, received)
    case 'store report':
      return addReport(database, command.payload, received)
    case 'replace catalog inputs':
      return replaceCatalogInputs(database, command.payload)
    case 'deactivate node':
      return deactivateNode(database, command.payload.certname, Date.parse(command.payload.producer_timestamp))
    case 'configure expiration': {
      const { certname, expire, producer_timestamp } = command.payload
      return setExpiration(database, certname, { facts: expire.facts, time: Date.parse(producer_timestamp) })
    }
  }
}
