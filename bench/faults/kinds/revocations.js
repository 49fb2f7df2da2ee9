// Certificates that are signed and then revoked; some of them are removed as well.
import { cleanUp, sendRequest, setState } from '../certificates.js'
import { signedAtOnce } from '../place.js'

export const revocations = (world) => {
  let count = 0
  return async () => {
    const name = `revoked${world.number()}${signedAtOnce}`
    await sendRequest(world, name)
    world.certificates.get(name).pem = await world.asker.ask('GET', `/puppet-ca/v1/certificate/${name}`)
    if (count++ % 4 === 3) await cleanUp(world, name)
    else await setState(world, name, 'revoked')
  }
}
