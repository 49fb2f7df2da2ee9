// Signs and revokes until it is killed: crash.e2e.test.ts.
import { openBuiltAuthority } from './open-built-authority.js'

const [root, cadir, round] = process.argv.slice(2)
const load = (path) => import(`${root}/dist/${path}.js`)
const { localSystem } = await load('machine/system/local-system')
const { generatePrivateKey } = await load('ca/x509/keys')

const ca = await openBuiltAuthority(root, cadir, { autosign: async () => true, system: localSystem })
const key = await generatePrivateKey({ type: 'ec', curve: 'prime256v1' })
for (let count = 0; ; count++) {
  const name = `r${round}-${count}.test`
  await ca.generate(name, { key })
  if (count % 2 === 0) await ca.revoke(name)
  process.send(count)
}
