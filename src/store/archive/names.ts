import type { CommandName } from '../commands/command.ts'

/** Top-level folder of an archive. */
export const archiveFolder = 'puppetdb-bak'

/** Name of the file that contains the versions of the archive's commands. */
export const metadataFile = 'export-metadata.json'

/**
 * The commands of an archive, by their names in the metadata, with the versions that Plumb writes.
 */
export const commandVersions = {
  replace_catalog: 9,
  store_report: 8,
  replace_facts: 5,
  configure_expiration: 1,
  replace_catalog_inputs: 1,
} as const

/** A folder of an archive, and the kind of command in its files. */
export interface ArchivePart {
  readonly folder: string
  readonly command: CommandName
  /** Name of the command in the metadata. */
  readonly word: keyof typeof commandVersions
  /** True if the file names end with the digest of the timestamp. */
  readonly hasDigest: boolean
}

/** The folders of an archive, each with the kind of command in its files. */
export const archiveParts: readonly ArchivePart[] = [
  { folder: 'catalogs', command: 'replace catalog', word: 'replace_catalog', hasDigest: true },
  { folder: 'reports', command: 'store report', word: 'store_report', hasDigest: true },
  { folder: 'facts', command: 'replace facts', word: 'replace_facts', hasDigest: false },
  { folder: 'configure_expiration', command: 'configure expiration', word: 'configure_expiration', hasDigest: true },
  { folder: 'catalog_inputs', command: 'replace catalog inputs', word: 'replace_catalog_inputs', hasDigest: true },
]
