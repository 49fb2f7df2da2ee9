import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Document, StoredDocument } from '../../ca/storage/authority-storage.ts'
import type { AuthorityQueries } from './authority-connection.ts'

/** Names of the documents of a CA. */
export type DocumentName = 'certificates' | 'private key' | 'revocation lists' | 'serial'

interface Row {
  readonly content: string
  readonly version: string
  readonly modified: Date
}

/**
 * The documents in the database of a CA. The version of a document is the digest of its content, so that the version of
 * a change that was rolled back never returns with another content. A document is loaded only if its version changed.
 */
export class AuthorityDocuments {
  readonly #place: string
  readonly #known = new Map<DocumentName, Document>()

  constructor(place: string) {
    this.#place = place
  }

  open(queries: AuthorityQueries, name: DocumentName): StoredDocument {
    const findVersion = async () => {
      const [row] = await queries.all<Row>(sql`select version from ca_documents where name = ${name}`)
      return row?.version
    }
    return {
      place: `${name} in ${this.#place}`,
      version: findVersion,
      read: async () => {
        const version = await findVersion()
        const known = this.#known.get(name)
        if (version === undefined) return undefined
        if (known?.version === version) return known
        const [row] = await queries.all<Row>(
          sql`select content, version, modified from ca_documents where name = ${name}`,
        )
        if (!row) return undefined
        const document = { pem: row.content, modified: row.modified, version: row.version }
        if (name !== 'private key') this.#known.set(name, document)
        return document
      },
      write: async (content) => {
        const version = createHash('sha256').update(content).digest('hex')
        await queries.run(sql`insert into ca_documents (name, content, version)
          values (${name}, ${content}, ${version})
          on conflict (name) do update
          set content = excluded.content, version = excluded.version, modified = clock_timestamp()`)
      },
    }
  }
}
