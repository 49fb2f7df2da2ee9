import { formatError } from '../../../language/ruby-semantics/errno.ts'
import { isUsable } from '../../../store/node-store.ts'
import { readSchemaVersion, schemaVersion } from '../../../store/schema/migrations.ts'
import { findMissingFile, parseStoreSetting } from '../../../store/store-location.ts'
import { openDatabase } from '../../../store/thread/open-database.ts'
import { checkReplicas } from '../../../store/thread/replica-watch.ts'
import { defineFaults } from '../finding.ts'
import type { Check } from '../installation.ts'

const faults = defineFaults('store', {
  STORE_UNAVAILABLE: {
    severity: 'error',
    what: (a: { why: string }) => `Could not open the store: ${a.why}`,
    why: 'Facts, catalogs and reports are queued on disk, and exported resources cannot be collected.',
    fix: () => "Correct the setting store or repair its database, then run 'plumb store status'.",
  },
  STORE_SCHEMA: {
    severity: 'error',
    what: (a: { found: number; known: number }) =>
      `The store has schema version ${a.found}; this program supports up to version ${a.known}`,
    why: 'The server cannot start: a newer version has migrated the store.',
    fix: () => "Install the newer version again, or restore a backup with 'plumb store restore FILE'.",
  },
  STORE_BEHIND: {
    severity: 'warning',
    what: (a: { found: number; known: number }) =>
      `The store has schema version ${a.found}; the version of this program is ${a.known}`,
    why: 'The next start of the server migrates the store and takes longer.',
    fix: () => "Run 'plumb store backup FILE', then 'plumb store migrate'.",
  },
  REPLICA_SKIPPED: {
    severity: 'warning',
    what: (a: { name: string; why: string }) => `The read replica ${a.name} of the store is skipped: ${a.why}`,
    why: 'Another replica or the primary answers the queries of the console and of /pdb.',
    fix: () => 'Repair the replication, or remove the replica from the setting store_replicas.',
  },
})

/** Checks the connection to the store, its schema, and its read replicas. */
export const storeCheck: Check = {
  name: 'store',
  doc: 'the connection to the store, its schema, and its read replicas',
  async run({ server, system }) {
    if (!server) return []
    try {
      const named = parseStoreSetting(server)
      // The server creates a missing database file. PuppetDB is checked on its own machine.
      if (named.kind !== 'own' || (await findMissingFile(named, system.files)) !== undefined) return []
      const database = await openDatabase(named.database, { readOnly: true })
      try {
        const found = await readSchemaVersion(database)
        const known = schemaVersion
        if (found > known) return [faults.STORE_SCHEMA({ found, known })]
        const skipped = (await checkReplicas(named.database)).filter((each) => !isUsable(each))
        return [
          ...(found < known ? [faults.STORE_BEHIND({ found, known })] : []),
          ...skipped.map(({ name, problem }) => faults.REPLICA_SKIPPED({ name, why: problem! })),
        ]
      } finally {
        await database.close()
      }
    } catch (error) {
      return [faults.STORE_UNAVAILABLE({ why: formatError(error) })]
    }
  },
}
