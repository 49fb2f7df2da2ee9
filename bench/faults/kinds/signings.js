// Requests for certificates: sent, signed by a person or at once, and fetched. Each answer acknowledges something.

import { sendRequest, setState } from '../certificates.js'
import { signedAtOnce } from '../place.js'

export const signings = (world) => {
  let count = 0
  return async () => {
    const isSignedAtOnce = count++ % 3 === 2
    const name = `signed${world.number()}${isSignedAtOnce ? signedAtOnce : '.faults.test'}`
    await sendRequest(world, name)
    if (!isSignedAtOnce) await setState(world, name, 'signed')
    world.certificates.get(name).pem = await world.asker.ask('GET', `/puppet-ca/v1/certificate/${name}`)
  }
}
