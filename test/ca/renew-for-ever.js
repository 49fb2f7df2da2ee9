// Signs, revokes, renews, prunes and refreshes until it is killed, and says each time what it was answered: crash.e2e.test.ts.
import { openBuiltAuthority } from './open-built-authority.js'

const [root, cadir, round] = process.argv.slice(2)
const load = (path) => import(`${root}/dist/${path}.js`)
const { localSystem } = await load('machine/system/local-system')
const { generatePrivateKey } = await load('ca/x509/keys')

// A list that is past half of its life at each look: so it is written all the time.
const options = { autosign: async () => true, autoRenewalTtl: 3600, listLifeMs: 1000, system: localSystem }
const ca = await openBuiltAuthority(root, cadir, options)
const key = await generatePrivateKey({ type: 'ec', curve: 'prime256v1' })
for (let count = 0; ; count++) {
  const name = `${round}-${count}.test`
  const { certificate } = await ca.generate(name, { key })
  process.send({ signed: name, serial: String(certificate.serial) })
  const renewed = await ca.renew(certificate)
  process.send({ signed: name, serial: String(renewed.serial) })
  if (count % 2 === 0) {
    await ca.revoke(name)
    process.send({ revoked: name, serials: [String(certificate.serial), String(renewed.serial)] })
  }
  await ca.refreshRevocationList()
  if (count % 3 === 0) await ca.pruneRevocationList({ duplicates: true })
}
