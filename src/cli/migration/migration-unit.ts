/** Parts of a migration that can be omitted. */
export const parts = ['ca', 'certificates', 'settings', 'auth', 'facts', 'code'] as const

/** A part of a migration. */
export type MigrationPart = (typeof parts)[number]

/** A file or directory that a migration creates. */
export interface MigrationUnit {
  readonly part: MigrationPart
  /** The file or directory of the Puppet Server, or a pattern for several. */
  readonly from: string
  /** Path of the migrated file or directory on this server. */
  readonly to: string
  /** Description with numbers of files or entries. */
  readonly note: string
  /** Writes the complete content to a path that does not exist yet. */
  stage(path: string): Promise<void>
}
