// The certificates of a fleet, of the server's own authority; kept in a folder, since some thousand take a while.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toCertificatePem } from '#built/ca/x509/certificate.js'
import { toPrivateKeyPem } from '#built/ca/x509/keys.js'
import { loadSettings } from '#built/machine/settings/settings.js'
import { localSystem } from '#built/machine/system/local-system.js'
import { openConfiguredAuthority } from '#built/store/authority/configured-authority.js'
import { main, placesIn } from '../server/plumbline.js'

/** Names of nodes, some for each role. */
export const certnames = (count, roles) =>
  Array.from({ length: count }, (_, at) => `node${at}-role${at % roles}.fleet.test`)

/**
 * The authority's certificate, and a key and a certificate for each name and for an administrator. What an earlier run
 * left in the server's folders, but for its authority, is removed.
 */
export async function fleetCertificates(folder, names) {
  mkdirSync(folder, { recursive: true })
  const [confdir, vardir] = ['etc', 'var'].map((each) => join(folder, 'plumbline', each))
  rmSync(vardir, { recursive: true, force: true })
  if (!existsSync(confdir))
    execFileSync(process.execPath, [main, 'ca', 'setup', '--certname', 'localhost', ...placesIn(folder)], {
      stdio: 'ignore',
    })
  const settings = loadSettings({ given: { confdir, vardir, certname: 'localhost' }, runMode: 'server', env: {} })
  const authority = await openConfiguredAuthority(settings, localSystem)
  const file = join(folder, 'identities.json')
  const known = new Map(existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, 'utf8'))) : [])
  for (const name of ['admin.fleet.test', ...names]) {
    if (known.has(name)) continue
    const { key, certificate } = await authority.generate(name, {
      key: { type: 'ec', curve: 'prime256v1' },
      administers: name.startsWith('admin'),
    })
    known.set(name, { key: toPrivateKeyPem(key), cert: toCertificatePem(certificate) })
  }
  writeFileSync(file, JSON.stringify(Object.fromEntries(known)), { mode: 0o600 })
  return { ca: (await authority.certificates()).pem, identity: (name) => known.get(name) }
}
