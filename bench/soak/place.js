// What a soak needs before its server starts: an authority, certificates, an autosign program, one folder for all.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { main, placesIn } from '../server/plumbline.js'
import { makeRepository } from './site.js'

/** Who may look at everything; who is let in no more; and those whose nodes an attacker has. */
export const administrator = 'admin.soak.test'
export const revoked = 'revoked.soak.test'
export const captured = Array.from({ length: 8 }, (_, number) => `captured${number}.soak.test`)

/** The name of an honest node. */
export const nodeName = (number) => `node${String(number).padStart(4, '0')}.soak.test`

/** Milliseconds that the program thinks which says whether a request is signed. */
const thinking = 1000

/** Makes all; answers the repository, the path of the credentials (key and certificate by name), and settings to serve with. */
export async function makePlace(folder, agents) {
  const repository = makeRepository(folder)
  const program = join(folder, 'autosign')
  writeFileSync(program, `#!/bin/sh\nsleep ${thinking / 1000}\nexit 1\n`, { mode: 0o755 })
  execFileSync(process.execPath, [main, 'ca', 'setup', '--certname', 'localhost', ...placesIn(folder)], {
    stdio: 'ignore',
  })
  const nodes = Array.from({ length: agents }, (_, number) => nodeName(number))
  const credentials = join(folder, 'credentials.json')
  writeFileSync(credentials, JSON.stringify(await makeCredentials(folder, nodes)), { mode: 0o600 })
  return { repository, credentials, settings: ['--repo', repository.bare, '--autosign', program] }
}

/** In this process: a program for each of two hundred certificates would take a minute. */
async function makeCredentials(folder, nodes) {
  const { openConfiguredAuthority } = await import('#built/store/authority/configured-authority.js')
  const { loadSettings } = await import('#built/machine/settings/settings.js')
  const { localSystem } = await import('#built/machine/system/local-system.js')
  const { toCertificatePem } = await import('#built/ca/x509/certificate.js')
  const { toPrivateKeyPem } = await import('#built/ca/x509/keys.js')
  const given = { confdir: join(folder, 'plumbline/etc'), vardir: join(folder, 'plumbline/var'), certname: 'localhost' }
  const settings = loadSettings({ given, runMode: 'server', env: {} })
  const authority = await openConfiguredAuthority(settings, localSystem)
  const known = {}
  for (const name of [administrator, revoked, ...captured, ...nodes]) {
    const administers = name === administrator
    const { key, certificate } = await authority.generate(name, {
      key: { type: 'ec', curve: 'prime256v1' },
      administers,
    })
    known[name] = { key: toPrivateKeyPem(key), cert: toCertificatePem(certificate) }
  }
  await authority.revoke(revoked)
  return { ca: (await authority.certificates()).pem, known }
}
