// Puts a fleet into a store, several commands at a time, and waits until the last one is there.
import { fleetCommands } from './fleet.js'

/** @typedef {import('./fleet.js').FleetCommand} Told */

/**
 * @param {import('../../../src/store/node-store.ts').NodeStore} store
 * @param {Parameters<typeof fleetCommands>[0]} fleet
 * @param {readonly Told[]} [more] what is told besides
 */
export async function fill(store, fleet, more = []) {
  /** @type {Promise<void>[]} */
  let waiting = []
  const told = async (/** @type {Told} */ { name, version, payload }) => {
    const command = { name, version, certname: payload.certname, payload: Buffer.from(JSON.stringify(payload)) }
    const { processed } = await store.submitAndWait(command, 600_000)
    if (processed?.problem !== undefined) throw new Error(`${name} of ${payload.certname}: ${processed.problem}`)
  }
  for (const commands of [fleetCommands(fleet), more])
    for (const command of commands) {
      waiting.push(told(command))
      if (waiting.length < 200) continue
      await Promise.all(waiting)
      waiting = []
    }
  await Promise.all(waiting)
}
