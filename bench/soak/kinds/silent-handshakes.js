// Connections whose TLS never starts, and such that stop in the middle of their first record.
import { heldOpen } from './held-open.js'

const start = Buffer.from('160301', 'hex')

export const silentHandshakes = {
  every: 20,
  /** @param {import('../attack.js').Attack} attack */
  act: (attack) =>
    attack.together(150, async (number) => {
      const socket = attack.plain()
      if (number % 2 === 1) socket.write(start)
      return heldOpen(socket, attack, 15_000)
    }),
}
