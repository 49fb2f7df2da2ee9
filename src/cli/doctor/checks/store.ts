import { errorText } from '../../../language/ruby-semantics/errno.ts'
import { missingFile, namedStore } from '../../../store/named-store.ts'
import { schemaVersion, versionOf } from '../../../store/schema/migrate.ts'
import { openDatabase } from '../../../store/thread/open-database.ts'
import { defineFaults } from '../finding.ts'
import type { Check } from '../installation.ts'

const faults = defineFaults('store', {
  STORE_UNAVAILABLE: {
    severity: 'error',
    what: (a: { why: string }) => `The store does not answer: ${a.why}`,
    why: 'Facts, catalogs and reports wait on the disk, and exported resources cannot be collected.',
    fix: () => "'plumb store status' when it is mended; the setting store, or its database, is wrong.",
  },
  STORE_SCHEMA: {
    severity: 'error',
    what: (a: { found: number; known: number }) =>
      `The store has the schema ${a.found}, and this program knows ${a.known} at most`,
    why: 'The server does not start: a newer one has brought the store further.',
    fix: () => 'Install that version again, or put back a backup: plumb store restore FILE',
  },
  STORE_BEHIND: {
    severity: 'warning',
    what: (a: { found: number; known: number }) =>
      `The store has the schema ${a.found}, and this program's is ${a.known}`,
    why: 'The next start of the server brings it there, and takes its time for that.',
    fix: () => 'plumb store backup FILE, then plumb store migrate',
  },
})

/** The store: reachable, and its schema. */
export const store: Check = {
  name: 'store',
  doc: 'the store: reachable, and its schema',
  async run({ server, system }) {
    if (!server) return []
    try {
      const named = namedStore(server)
      // The server makes a file that is not there; a PuppetDB is looked at from its own machine.
      if (named.kind !== 'own' || (await missingFile(named, system.files)) !== undefined) return []
      const database = await openDatabase(named.database, { readOnly: true })
      try {
        const found = await versionOf(database)
        const known = schemaVersion
        if (found > known) return [faults.STORE_SCHEMA({ found, known })]
        return found < known ? [faults.STORE_BEHIND({ found, known })] : []
      } finally {
        await database.close()
      }
    } catch (error) {
      return [faults.STORE_UNAVAILABLE({ why: errorText(error) })]
    }
  },
}
