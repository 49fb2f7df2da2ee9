import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { defineIssues, fail } from '../../base/issue.ts'
import { printable } from '../../base/text/printable.ts'
import { exportArchive } from '../../store/archive/export.ts'
import { importArchive } from '../../store/archive/import.ts'
import { restoreBackup } from '../../store/backup/restore.ts'
import { backupBefore, writeBackup } from '../../store/backup/write.ts'
import { problemsIn } from '../../store/integrity/check.ts'
import { answer } from '../../store/query/answer.ts'
import { discardedIn } from '../../store/queue/discarded.ts'
import { migrate, schemaVersion, versionOf } from '../../store/schema/migrate.ts'
import { type Command, defineCommand, type Invocation } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { say } from '../command/say.ts'
import { writtenNow } from './import-now.ts'
import { type OpenedStore, withStore } from './opened.ts'
import { statusOf, statusText } from './status.ts'

const issues = defineIssues({
  STORE_NOT_MIGRATED: {
    text: (a: { version: number; newest: number }) => `The store has schema version ${a.version}, not ${a.newest}`,
    hint: () => "'plumb store migrate' brings it there, and makes a backup before.",
  },
})

const rendering = [renderAs] as const

/** `plumb store` */
export const store: Command = {
  name: 'store',
  summary: 'Print the status of the store, back it up, archive and migrate it.',
  description: `Works on the store that the settings name (store, server_datadir), beside a running server or without one.

  plumb store status
  plumb store backup /backups/store-$(date +%F).gz
  plumb store export puppetdb.tgz`,
  commands: [
    defineCommand({
      name: 'status',
      summary: 'Shows kind, size and schema of the store, what it has, what waits, and the last collection.',
      options: rendering,
      run: async (asked) => {
        const status = await withStore(asked, { make: false }, statusOf)
        asked.io.out(asked.options.renderAs === 'json' ? json(status) : statusText(status))
        return 0
      },
    }),
    defineCommand({
      name: 'discarded',
      summary: 'Lists the commands that could not be stored, with the reason of each.',
      description:
        'They stay in server_datadir/store/queue/discarded, a .json and a .payload each, until somebody removes them.',
      options: rendering,
      run: listDiscarded,
    }),
    defineCommand({
      name: 'migrate',
      summary: 'Brings the store to the newest schema; a backup is made before.',
      description: `The server does so itself when it starts. There is no way back but that backup, in server_datadir/store/backups.`,
      run: migrateStore,
    }),
    defineCommand({
      name: 'backup',
      summary: 'Writes all that the store has into a file, as it is at one time, while the server runs.',
      description: `The file is the same for SQLite and PostgreSQL, and can be restored into either. Commands that wait are not in it.

  plumb store backup /backups/store.gz`,
      usage: '<file>',
      run: (asked) =>
        withMigrated(asked, async ({ database }) => {
          const rows = await writeBackup(database, asked.args[0]!, Date.now())
          asked.io.out(`${rows} rows written to ${printable(asked.args[0]!)}\n`)
          return 0
        }),
    }),
    defineCommand({
      name: 'restore',
      summary: 'Fills an empty store with a backup.',
      description: `All of it or nothing. A store that has something is left as it is: move server_datadir/store away first, or name an
empty database.

  plumb store restore /backups/store.gz --store postgresql://plumb@db.example.com/plumb`,
      usage: '<file>',
      run: (asked) =>
        withStore(asked, { make: true }, async ({ database }) => {
          asked.io.out(`${await restoreBackup(database, asked.args[0]!, Date.now())} rows restored\n`)
          return 0
        }),
    }),
    defineCommand({
      name: 'export',
      summary: "Writes what is known of nodes now as an archive in PuppetDB's format.",
      description: `Catalogs, facts, reports, inputs and expirations, for PuppetDB (puppet db import, /pdb/admin/v1/archive) or for
another store. History, and who is deactivated, are in a backup alone.`,
      usage: '<file>',
      run: exportStore,
    }),
    defineCommand({
      name: 'import',
      summary: "Takes in an archive that PuppetDB or 'plumb store export' wrote.",
      description: `Newer data stays: the latest producer_timestamp wins. What cannot be read is said, and the exit status is 1.`,
      usage: '<file>',
      run: importStore,
    }),
    defineCommand({
      name: 'check',
      summary: 'Looks whether all that the store has is whole.',
      description: 'The exit status is 1 where something is not.',
      options: rendering,
      run: checkStore,
    }),
  ],
}

const json = (data: unknown): string => `${JSON.stringify(data, undefined, 2)}\n`

type Asked = Invocation<typeof rendering>

/** Works with a store whose schema is ours. Throws STORE_NOT_MIGRATED. */
function withMigrated(
  asked: Pick<Invocation, 'settings'>,
  work: (store: OpenedStore) => Promise<number>,
): Promise<number> {
  return withStore(asked, { make: false }, async (opened) => {
    const version = await versionOf(opened.database)
    if (version !== schemaVersion) fail(issues.STORE_NOT_MIGRATED, { version, newest: schemaVersion })
    return work(opened)
  })
}

async function listDiscarded(asked: Asked): Promise<number> {
  const found = await withStore(asked, { make: false }, ({ queue }) => discardedIn(queue))
  if (asked.options.renderAs === 'json') asked.io.out(json(found))
  else
    for (const { uuid, name, version, certname, received, problem } of found)
      asked.io.out(`${received}  ${uuid}  ${name} ${version} of ${printable(certname)}\n  ${printable(problem)}\n`)
  return 0
}

function migrateStore(asked: Invocation): Promise<number> {
  return withStore(asked, { make: true }, async ({ database, folder }) => {
    const before = await versionOf(database)
    const now = Date.now()
    const backup = backupBefore(database, join(folder, 'backups'), now, (file) =>
      asked.io.out(`Backup before the migration: ${printable(file)}\n`),
    )
    await migrate(database, now, { before: backup })
    asked.io.out(
      before === schemaVersion
        ? `The schema is the newest: version ${before}\n`
        : `Schema version ${before} became ${schemaVersion}\n`,
    )
    return 0
  })
}

function exportStore(asked: Invocation): Promise<number> {
  return withMigrated(asked, async ({ database }) => {
    const asking = {
      ask: async (question: Parameters<typeof answer>[1]) => {
        const given = await answer(database, question, { now: Date.now(), nodePurgeTtl: Date.now() })
        return given && { ...given, total: given.total }
      },
    }
    const file = createWriteStream(asked.args[0]!, { flags: 'wx', mode: 0o600 })
    await pipeline(exportArchive(asking, Date.now()), file)
    return 0
  })
}

function importStore(asked: Invocation): Promise<number> {
  return withMigrated(asked, async ({ database }) => {
    let refused = 0
    const write = writtenNow(database, ({ certname, name }, problem) => {
      refused++
      say('Error', `${name} of ${certname}: ${problem}`, asked.io)
    })
    const commands = await importArchive(createReadStream(asked.args[0]!), write.add)
    await write.end()
    asked.io.out(`${commands - refused} commands imported${refused === 0 ? '' : `, ${refused} not`}\n`)
    return refused === 0 ? 0 : 1
  })
}

function checkStore(asked: Asked): Promise<number> {
  return withMigrated(asked, async ({ database }) => {
    const problems = await database.snapshot((inside) => problemsIn(inside))
    if (asked.options.renderAs === 'json') asked.io.out(json(problems))
    else if (problems.length === 0) asked.io.out('All is well\n')
    else
      for (const { table, rows, problem } of problems)
        asked.io.out(`${table}: ${printable(problem)} (${rows} ${rows === 1 ? 'row' : 'rows'})\n`)
    return problems.length === 0 ? 0 : 1
  })
}
