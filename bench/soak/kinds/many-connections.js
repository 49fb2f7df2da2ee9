// Connections up to the limit of descriptors, held for a while.
import { descriptors } from '../server.js'
import { heldOpen } from './held-open.js'

export const manyConnections = {
  every: 60,
  /** @param {import('../attack.js').Attack} attack */
  act: (attack) =>
    attack.together(descriptors + 200, async (number) => {
      await attack.pause(Math.floor(number / 100) * 50)
      return heldOpen(attack.plain(), attack, 15_000)
    }),
}
