// Clients that ask for catalogs and hang up before they have them.
import { catalogRequest } from '../../server/client.js'
import { nodeFacts } from '../node-facts.js'
import { captured } from '../place.js'

let run = 0

export const hangUps = {
  every: 15,
  act: ({ together, ask }) =>
    together(16, async (number) => {
      const name = captured[number % captured.length]
      return (await ask(name, { ...catalogRequest(nodeFacts(name, run++)), cutAfterMs: 20 + 10 * number })).status
    }),
}
