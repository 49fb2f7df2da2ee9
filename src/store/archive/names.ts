import type { CommandName } from '../commands/command.ts'

/** The folder of all that is in an archive. */
export const archiveFolder = 'puppetdb-bak'

/** The file that says in which versions the commands are. */
export const metadataFile = 'export-metadata.json'

/** Commands that an archive has, by the words of its metadata, in the versions that we write. */
export const commandVersions = {
  replace_catalog: 9,
  store_report: 8,
  replace_facts: 5,
  configure_expiration: 1,
  replace_catalog_inputs: 1,
} as const

/** A folder of an archive. */
export interface ArchivePart {
  readonly folder: string
  readonly command: CommandName
  /** The word of the metadata. */
  readonly word: keyof typeof commandVersions
  /** True where the digest of the time stands behind the certname. */
  readonly hasDigest: boolean
}

/** The folders of an archive, and the command that each file of them is. */
export const archiveParts: readonly ArchivePart[] = [
  { folder: 'catalogs', command: 'replace catalog', word: 'replace_catalog', hasDigest: true },
  { folder: 'reports', command: 'store report', word: 'store_report', hasDigest: true },
  { folder: 'facts', command: 'replace facts', word: 'replace_facts', hasDigest: false },
  { folder: 'configure_expiration', command: 'configure expiration', word: 'configure_expiration', hasDigest: true },
  { folder: 'catalog_inputs', command: 'replace catalog inputs', word: 'replace_catalog_inputs', hasDigest: true },
]
