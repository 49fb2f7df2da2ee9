import { defineCommand } from '../command/command.ts'
import { renderAs } from '../command/options.ts'
import { getPhaseStatus, printRollout } from './rollout-text.ts'
import { connectToRollouts } from './server-rollouts.ts'

/** The command `plumb rollout show`. */
export const rolloutShow = defineCommand({
  name: 'show',
  summary: 'Print a rollout: its waves, failed nodes, checks and steps.',
  description: `Without an environment, prints the rollout of the only environment that has one. Exits with 0; with 1 if the rollout
was halted or aborted, and with 2 if a later push replaced it.

  plumb rollout show production
  plumb rollout show production --render-as json | jq .rollout.phase`,
  usage: '[environment]',
  options: [renderAs],
  async run({ args, options, settings, io }) {
    const status = await connectToRollouts(settings).find(args[0])
    if (options.renderAs === 'json') io.out(`${JSON.stringify(status, undefined, 2)}\n`)
    else printRollout(status, io)
    return status.rollout ? getPhaseStatus(status.rollout.phase) : 0
  },
})
