// Takes a request in and never answers for it: crash.e2e.test.ts kills it while autosign thinks.
import { openBuiltAuthority } from './open-built-authority.js'

const [root, cadir, pem, name] = process.argv.slice(2)
const load = (path) => import(`${root}/dist/${path}.js`)
const { localSystem } = await load('machine/system/local-system')

const autosign = () => {
  process.send('thinking')
  return new Promise(() => setInterval(() => {}, 1000))
}
const ca = await openBuiltAuthority(root, cadir, { autosign, system: localSystem })
await ca.submit(name, pem)
