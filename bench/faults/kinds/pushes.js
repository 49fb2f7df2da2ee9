// A commit is pushed over HTTPS by git itself, and acknowledged when git says so.
import { git } from '../code.js'

export const pushes = (world) => {
  const { place, acknowledged } = world
  const { production, module, bare, gitFiles } = place
  const variables = {
    GIT_SSL_CAINFO: `${place.confdir}/ssl/certs/ca.pem`,
    GIT_SSL_KEY: gitFiles.key,
    GIT_SSL_CERT: gitFiles.cert,
  }
  let motd
  let count = 0
  return async () => {
    if (count++ % 3 === 0) motd = await module.change()
    const tip = await git(bare, ['rev-parse', 'refs/heads/production'])
    const commit = await production.change(tip, motd)
    // By turns to both servers, where there are two.
    const { port } = count % 2 === 0 ? (world.beside ?? world) : world
    const address = `https://localhost:${port}/git/control.git`
    await git(production.work, ['push', '--quiet', address, 'HEAD:refs/heads/production'], variables)
    acknowledged.code.production = production.known.get(commit)
  }
}
