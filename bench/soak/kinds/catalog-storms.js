// Many requests for the catalog of one node at once.
import { catalogRequest } from '../../server/client.js'
import { nodeFacts } from '../node-facts.js'
import { captured } from '../place.js'

const name = captured[3]
let run = 0

export const catalogStorms = {
  every: 20,
  act: ({ together, ask }) =>
    together(40, async () => (await ask(name, catalogRequest(nodeFacts(name, run++)))).status),
}
