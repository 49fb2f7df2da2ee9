import { defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { printRolloutTable } from './rollout-text.ts'
import { connectToRollouts } from './server-rollouts.ts'

/** The command `plumb rollout list`. */
export const rolloutList = defineCommand({
  name: 'list',
  summary: 'List the environments with a rollout.',
  description: `Prints a line for each environment that has or had a rollout: the number and state of its last rollout, the commit, the
current wave, and the numbers of nodes that have reported and failed. Exits with 0, or with 2 if there are none.

  plumb rollout list
  plumb rollout list --render-as json`,
  options: [renderAs],
  async run({ options, settings, io }) {
    const all = await connectToRollouts(settings).list()
    if (options.renderAs === 'json') io.out(`${JSON.stringify(all, undefined, 2)}\n`)
    else if (all.length > 0) printRolloutTable(all, io)
    else io.err("No environment has a rollout. Add rollout.yaml to an environment, or set 'default_rollout'.\n")
    return all.length === 0 ? 2 : 0
  },
})
