// Headers that come byte by byte and never end.
import { dripping } from './held-open.js'

export const slowHeaders = {
  every: 25,
  act: ({ together, ...attack }) =>
    together(50, async () => {
      const socket = await attack.secured()
      if (typeof socket !== 'string') socket.write('GET /status/v1/simple HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
      return dripping(socket, attack, 20_000)
    }),
}
