// Renegotiation of TLS 1.2, by which a client would get another certificate in after it was let in.
import { Breach } from '../attack.js'
import { captured } from '../place.js'

export const renegotiations = {
  every: 5,
  /** @param {import('../attack.js').Attack} attack */
  act: (attack) => attack.together(5, () => renegotiate(attack)),
}

async function renegotiate({ secured, pause }) {
  const socket = await secured(captured[0], { maxVersion: 'TLSv1.2' })
  if (typeof socket === 'string') return socket
  socket.resume()
  const done = new Promise((end) => {
    socket.renegotiate({ rejectUnauthorized: false }, (error) => end(error ? 'refused' : 'renegotiated'))
    socket.once('close', () => end('refused'))
  })
  const outcome = (await Promise.race([done, pause(3000)])) ?? 'no answer'
  if (outcome === 'renegotiated') throw new Breach('a connection was renegotiated')
  return outcome
}
