import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { KeyAccess } from '../../src/ca/issuer.ts'
import { type AuthorityOptions, openAuthority } from '../../src/ca/local-authority.ts'
import { setUpAuthority } from '../../src/ca/setup.ts'
import type { AuthorityStorage } from '../../src/ca/storage/authority-storage.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { openAuthorityDatabase } from '../../src/store/authority/authority-database.ts'
import { startPostgres } from '../support/real-puppetdb.js'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ec, type Fixture, usualOptions } from './fixture.ts'

/** An authority in a database. */
export interface DatabaseFixture extends Fixture {
  readonly url: string
  /** The same authority through connections of its own, as another server has it. */
  reopen(change?: Partial<AuthorityOptions>): Promise<Fixture['ca']>
  psql(sql: string): string
}

/** PostgreSQL for the authorities of a suite. */
export interface AuthorityPostgres {
  readonly server: Awaited<ReturnType<typeof startPostgres>>
  /** A file with the passphrase of their keys. */
  readonly passfile: string
  newDatabase(): string
  newAuthority(change?: Partial<AuthorityOptions>): Promise<DatabaseFixture>
}

/** Starts PostgreSQL for a suite. */
export function authorityPostgres(): AuthorityPostgres {
  const folder = scratchFolder('ca-postgres')
  const passfile = join(folder, 'passphrase')
  const key: KeyAccess = { command: [], passphraseFile: passfile, system: localSystem }
  let server: AuthorityPostgres['server'] | undefined
  let count = 0
  const opened: AuthorityStorage[] = []
  beforeAll(async () => {
    server = await startPostgres(folder)
    writeFileSync(passfile, 'correct horse battery staple\n', { mode: 0o600 })
  })
  afterAll(async () => {
    for (const storage of opened) await storage.close()
    await server?.stop()
  })
  const open = async (url: string) => {
    const storage = await openAuthorityDatabase(url)
    opened.push(storage)
    return storage
  }
  const newDatabase = () => {
    const name = `ca${count++}`
    server!.psql('postgres', `create database ${name}`)
    return name
  }
  return {
    get server() {
      return server!
    },
    passfile,
    newDatabase,
    async newAuthority(change = {}) {
      const { system = localSystem } = change
      const name = newDatabase()
      const url = server!.url(name)
      const storage = await open(url)
      const made = { name: 'Puppet CA: ca.test', key: ec, access: key, ttl: 5 * 365 * 86_400 }
      await setUpAuthority({ ...made, storage, system })
      const reopen = async (next: Partial<AuthorityOptions> = {}) =>
        openAuthority({ ...usualOptions, storage: await open(url), key, ...change, ...next })
      const ca = await openAuthority({ ...usualOptions, storage, key, ...change })
      return { url, storage, ca, reopen, psql: (sql) => server!.psql(name, sql) }
    },
  }
}
