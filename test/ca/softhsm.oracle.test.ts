import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openAuthority } from '../../src/ca/local-authority.ts'
import { setUpAuthority } from '../../src/ca/setup.ts'
import { openAuthorityFolder } from '../../src/ca/storage/authority-folder.ts'
import { toCertificatePem } from '../../src/ca/x509/certificate.ts'
import { localSystem } from '../../src/machine/system/local-system.ts'
import { openAuthorityDatabase } from '../../src/store/authority/authority-database.ts'
import { without } from '../support/needs.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { authorityPostgres } from './database-fixture.ts'
import { ec, usualOptions } from './fixture.ts'
import { openssl } from './x509/openssl.ts'

const lacks = without('SoftHSM', 'PostgreSQL')
const module = '/usr/lib/softhsm/libsofthsm2.so'
const pin = '4711'

/** A token with a key; its public key in PEM, and the script of docs/ca.md as the command that signs. */
function newToken(keyType: string) {
  const folder = scratchFolder('token')
  mkdirSync(join(folder, 'tokens'))
  const configuration = join(folder, 'softhsm2.conf')
  writeFileSync(configuration, `directories.tokendir = ${folder}/tokens\n`)
  writeFileSync(join(folder, 'pin'), `${pin}\n`, { mode: 0o600 })
  const options = { env: { ...process.env, SOFTHSM2_CONF: configuration }, stdio: 'pipe' } as const
  const run = (program: string, ...words: readonly string[]) => execFileSync(program, words, options)
  const token = (...words: readonly string[]) =>
    run('pkcs11-tool', '--module', module, '--token-label', 'ca', '--login', '--pin', pin, ...words)
  run('softhsm2-util', '--init-token', '--free', '--label', 'ca', '--pin', pin, '--so-pin', '0815')
  token('--keypairgen', '--key-type', keyType, '--id', '01')
  const der = token('--read-object', '--type', 'pubkey', '--id', '01')
  const publicKey = execFileSync('openssl', ['pkey', '-pubin', '-inform', 'DER'], { input: der, encoding: 'utf8' })
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/ca.md'), 'utf8')
  const [, script = ''] = /```sh\n(#!\/bin\/sh\n[\s\S]*?)```/.exec(page) ?? []
  const path = join(folder, 'sign')
  writeFileSync(path, script.replace('/etc/plumb/token-pin', join(folder, 'pin')), { mode: 0o755 })
  return { publicKey, command: ['/usr/bin/env', `SOFTHSM2_CONF=${configuration}`, path] }
}

describe.skipIf(lacks !== '')(`an authority whose key is in SoftHSM${lacks}`, () => {
  const postgres = authorityPostgres()

  it.each(['rsa:2048', 'EC:prime256v1'])(
    'with a key of %s, signs and revokes, in files and in PostgreSQL',
    async (keyType) => {
      const { publicKey, command } = newToken(keyType)
      const access = { command, passphraseFile: undefined, system: localSystem }
      const folder = openAuthorityFolder(join(scratchFolder('hsm'), 'ca'), localSystem, { isKeyless: true })
      const database = await openAuthorityDatabase(postgres.server.url(postgres.newDatabase()))
      for (const storage of [folder, database]) {
        const made = { name: 'Puppet CA: hsm', key: ec, ttl: 5 * 365 * 86_400, system: localSystem }
        await setUpAuthority({ ...made, storage, access, publicKey })
        expect(await storage.privateKey.read()).toBeUndefined()
        const ca = await openAuthority({ ...usualOptions, storage, key: access })
        const { certificate } = await ca.generate('a.test', { key: ec })
        const pem = (await ca.certificates()).pem
        const verify = async () =>
          openssl(
            'verify',
            '-x509_strict',
            '-crl_check',
            '-CAfile',
            { pem },
            '-CRLfile',
            { pem: (await ca.revocationLists()).pem },
            {
              pem: toCertificatePem(certificate),
            },
          )
        expect(await verify()).toContain('OK')
        await ca.revoke('a.test')
        await expect(verify()).rejects.toThrow('certificate revoked')
      }
      await database.close()
    },
  )
})
