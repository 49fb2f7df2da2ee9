import { defineIssues, throwIssue } from '../../base/issue.ts'
import { loadSettings, type Settings } from '../../machine/settings/settings.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import type { Database } from '../../store/database/database.ts'
import { findMissingFile, parseStoreSetting } from '../../store/store-location.ts'
import { openDatabase } from '../../store/thread/open-database.ts'
import type { CommandInvocation } from '../command/command.ts'

const issues = defineIssues({
  STORE_IS_NONE: {
    text: () => 'This server has no store (store = none)',
    hint: () => 'Set store to sqlite or to a PostgreSQL URL in the section [server].',
  },
  STORE_ELSEWHERE: {
    text: () => 'The store is a PuppetDB, which this command cannot manage',
    hint: () => "Use PuppetDB's own commands.",
  },
  STORE_NOT_MADE: {
    text: (a: { file: string }) => `The store does not exist yet: ${a.file}`,
    hint: () => "Start the server, or create an empty store with 'plumb store migrate'.",
  },
})

/** The configured store, opened while the server may be running. */
export interface OpenedStore {
  readonly database: Database
  readonly settings: Settings
  /** The directory of the store. */
  readonly folder: string
  readonly queue: string
  /** The SQLite database file. */
  readonly file: string | undefined
}

/** Calls `work` with the configured store. Throws STORE_IS_NONE, STORE_ELSEWHERE and STORE_NOT_MADE. */
export async function withConfiguredStore<Result>(
  { settings: given }: Pick<CommandInvocation, 'settings'>,
  { make }: { readonly make: boolean },
  work: (store: OpenedStore) => Promise<Result>,
): Promise<Result> {
  const settings = loadSettings({ given, runMode: 'server' })
  const named = parseStoreSetting(settings)
  if (named.kind === 'none') throwIssue(issues.STORE_IS_NONE, {})
  if (named.kind === 'puppetdb') throwIssue(issues.STORE_ELSEWHERE, {})
  const { folder, queue, database: place } = named
  const missing = make ? undefined : await findMissingFile(named, localSystem.files)
  if (missing !== undefined) throwIssue(issues.STORE_NOT_MADE, { file: missing })
  if (make) await localSystem.files.makeDirectory(folder, 0o700)
  const database = await openDatabase(place)
  try {
    return await work({ database, settings, folder, queue, file: place.kind === 'sqlite' ? place.file : undefined })
  } finally {
    await database.close()
  }
}
