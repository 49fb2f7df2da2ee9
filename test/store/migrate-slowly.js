// Brings a store from its schema to one after it, with statements that take a while; says when it begins, and when it is done.
//   node migrate-slowly.js FILE|ADDRESS
import { openPostgres } from '#built/store/database/postgresql.js'
import { openSqlite } from '#built/store/database/sqlite.js'
import { listMigrations, migrateDatabase, schemaVersion } from '#built/store/schema/migrations.js'

const [place = ''] = process.argv.slice(2)
const database = place.startsWith('postgresql:') ? await openPostgres(place) : openSqlite(place)
const added = () => [
  'create table added (id bigint primary key, name text not null)',
  'insert into added select id, title from resource_names',
  'alter table nodes add column extra text',
  `update nodes set extra = 'x'`,
  'create index added_by_name on added (name)',
  ...Array.from(
    { length: 40 },
    (_, at) => `insert into added select id + ${(at + 1) * 100_000}, title from resource_names`,
  ),
  'update resources set hash = hash',
  'drop table collections',
]
process.stdout.write('begin\n')
await migrateDatabase(database, Date.now(), { migrations: [...listMigrations(schemaVersion), added] })
process.stdout.write('done\n')
await database.close()
