import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'
import { exportArchive } from '../../store/archive/export.ts'
import { importStoreArchive } from '../../store/archive/import.ts'
import { restoreBackup } from '../../store/backup/restore.ts'
import { createMigrationBackup, writeBackup } from '../../store/backup/write.ts'
import { findProblems } from '../../store/integrity/check.ts'
import { runQuery } from '../../store/query/execution.ts'
import { listDiscardedCommands } from '../../store/queue/discarded-commands.ts'
import { migrateDatabase, readSchemaVersion, schemaVersion } from '../../store/schema/migrations.ts'
import { type CliCommand, type CommandInvocation, defineCommand } from '../command/command.ts'
import { printMessage } from '../command/messages.ts'
import { renderAs } from '../command/options.ts'
import { type OpenedStore, withConfiguredStore } from './configured-store.ts'
import { createDirectWriter } from './direct-import.ts'
import { formatStoreStatus, readStoreStatus } from './status.ts'

const issues = defineIssues({
  STORE_NOT_MIGRATED: {
    text: (a: { version: number; newest: number }) => `The store has schema version ${a.version}, not ${a.newest}`,
    hint: () => "Run 'plumb store migrate', which makes a backup first.",
  },
})

const rendering = [renderAs] as const

/** The command `plumb store`. */
export const storeCommand: CliCommand = {
  name: 'store',
  summary: 'Print the status of the store, and back up, archive and migrate the store.',
  description: `Manages the store of this server (settings store and server_datadir). The server may be running or stopped.

  plumb store status
  plumb store backup /backups/store-$(date +%F).gz
  plumb store export puppetdb.tgz`,
  commands: [
    defineCommand({
      name: 'status',
      summary: 'Print the kind, size, schema, contents, queue and last collection of the store.',
      options: rendering,
      run: async (asked) => {
        const status = await withConfiguredStore(asked, { make: false }, readStoreStatus)
        asked.io.out(asked.options.renderAs === 'json' ? formatJson(status) : formatStoreStatus(status))
        return 0
      },
    }),
    defineCommand({
      name: 'discarded',
      summary: 'List the commands that could not be stored, with the reasons.',
      description:
        'The commands are kept in server_datadir/store/queue/discarded, as a .json and a .payload file each, until you remove them.',
      options: rendering,
      run: listDiscarded,
    }),
    defineCommand({
      name: 'migrate',
      summary: 'Migrate the store to the newest schema, after a backup.',
      description: `The server also migrates the store when it starts. To go back to an older version, restore the backup in
server_datadir/store/backups.`,
      run: migrateStore,
    }),
    defineCommand({
      name: 'backup',
      summary: 'Write a consistent backup of the store to a file.',
      description: `The server may be running. A backup can be restored to SQLite and to PostgreSQL. It does not contain queued commands.

  plumb store backup /backups/store.gz`,
      usage: '<file>',
      run: (asked) =>
        withMigratedStore(asked, async ({ database }) => {
          const rows = await writeBackup(database, asked.args[0]!, Date.now())
          asked.io.out(`Wrote ${rows} rows to ${toPrintable(asked.args[0]!)}\n`)
          return 0
        }),
    }),
    defineCommand({
      name: 'restore',
      summary: 'Restore a backup to an empty store.',
      description: `Restores all rows or none. A store that contains data is not changed: move server_datadir/store away first, or name an
empty database.

  plumb store restore /backups/store.gz --store postgresql://plumb@db.example.com/plumb`,
      usage: '<file>',
      run: (asked) =>
        withConfiguredStore(asked, { make: true }, async ({ database }) => {
          asked.io.out(`Restored ${await restoreBackup(database, asked.args[0]!, Date.now())} rows\n`)
          return 0
        }),
    }),
    defineCommand({
      name: 'export',
      summary: "Export the current data of nodes as an archive in PuppetDB's format.",
      description: `The archive contains catalogs, facts, reports, inputs and expirations, for PuppetDB (puppet db import,
/pdb/admin/v1/archive) or another store. History and deactivations are only in backups.`,
      usage: '<file>',
      run: exportStore,
    }),
    defineCommand({
      name: 'import',
      summary: "Import an archive written by PuppetDB or 'plumb store export'.",
      description: `Newer data in the store is kept: the latest producer_timestamp wins. Prints commands that cannot be read, and then exits
with 1.`,
      usage: '<file>',
      run: importStore,
    }),
    defineCommand({
      name: 'check',
      summary: 'Check the consistency of the store.',
      description: 'Exits with 0, or with 1 if there are problems.',
      options: rendering,
      run: checkStore,
    }),
  ],
}

const formatJson = (data: unknown): string => `${JSON.stringify(data, undefined, 2)}\n`

type Asked = CommandInvocation<typeof rendering>

/** Calls `work` with a store of the current schema. Throws STORE_NOT_MIGRATED. */
function withMigratedStore(
  asked: Pick<CommandInvocation, 'settings'>,
  work: (store: OpenedStore) => Promise<number>,
): Promise<number> {
  return withConfiguredStore(asked, { make: false }, async (opened) => {
    const version = await readSchemaVersion(opened.database)
    if (version !== schemaVersion) throwIssue(issues.STORE_NOT_MIGRATED, { version, newest: schemaVersion })
    return work(opened)
  })
}

async function listDiscarded(asked: Asked): Promise<number> {
  const found = await withConfiguredStore(asked, { make: false }, ({ queue }) => listDiscardedCommands(queue))
  if (asked.options.renderAs === 'json') asked.io.out(formatJson(found))
  else
    for (const { uuid, name, version, certname, received, problem } of found)
      asked.io.out(`${received}  ${uuid}  ${name} ${version} of ${toPrintable(certname)}\n  ${toPrintable(problem)}\n`)
  return 0
}

function migrateStore(asked: CommandInvocation): Promise<number> {
  return withConfiguredStore(asked, { make: true }, async ({ database, folder }) => {
    const before = await readSchemaVersion(database)
    const now = Date.now()
    const backup = createMigrationBackup(database, join(folder, 'backups'), now, (file) =>
      asked.io.out(`Backup before the migration: ${toPrintable(file)}\n`),
    )
    await migrateDatabase(database, now, { before: backup })
    asked.io.out(
      before === schemaVersion
        ? `The schema is up to date: version ${before}\n`
        : `Migrated from schema version ${before} to ${schemaVersion}\n`,
    )
    return 0
  })
}

function exportStore(asked: CommandInvocation): Promise<number> {
  return withMigratedStore(asked, async ({ database }) => {
    const asking = {
      ask: async (question: Parameters<typeof runQuery>[1]) => {
        const given = await runQuery(database, question, { now: Date.now(), nodePurgeTtl: Date.now() })
        return given && { ...given, total: given.total }
      },
    }
    const file = createWriteStream(asked.args[0]!, { flags: 'wx', mode: 0o600 })
    await pipeline(exportArchive(asking, Date.now()), file)
    return 0
  })
}

function importStore(asked: CommandInvocation): Promise<number> {
  return withMigratedStore(asked, async ({ database }) => {
    let refused = 0
    const write = createDirectWriter(database, ({ certname, name }, problem) => {
      refused++
      printMessage('Error', `${name} of ${certname}: ${problem}`, asked.io)
    })
    const commands = await importStoreArchive(createReadStream(asked.args[0]!), write.add)
    await write.end()
    asked.io.out(`${commands - refused} commands imported${refused === 0 ? '' : `, ${refused} rejected`}\n`)
    return refused === 0 ? 0 : 1
  })
}

function checkStore(asked: Asked): Promise<number> {
  return withMigratedStore(asked, async ({ database }) => {
    const problems = await database.snapshot((inside) => findProblems(inside))
    if (asked.options.renderAs === 'json') asked.io.out(formatJson(problems))
    else if (problems.length === 0) asked.io.out('No problems found\n')
    else
      for (const { table, rows, problem } of problems)
        asked.io.out(`${table}: ${toPrintable(problem)} (${rows} ${rows === 1 ? 'row' : 'rows'})\n`)
    return problems.length === 0 ? 0 : 1
  })
}
