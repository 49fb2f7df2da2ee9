import { defineIssues, throwIssue } from '../../base/issue.ts'
import { getPusher } from '../../deploy/pusher.ts'
import type { PersonAction } from '../../deploy/rollout/rollout-actions.ts'
import { type CliCommand, defineCommand } from '../command/command.ts'
import { type Option, renderAs } from '../command/options.ts'
import { formatHeadline, formatWaiting } from './rollout-text.ts'
import { connectToRollouts } from './server-rollouts.ts'

const issues = defineIssues({
  ROLLOUT_NUMBER: { text: (a: { value: string }) => `--number requires the number of a rollout, not '${a.value}'` },
})

const options = [
  { flags: '--number <number>', doc: 'Fail unless the current rollout has this number.' },
  { flags: '--message <text>', doc: 'Reason for the step, for the other readers of the rollout and the audit log.' },
  renderAs,
] as const satisfies readonly Option[]

const formatExample = (name: PersonAction) =>
  ['plumb rollout', name, "production --message 'see ticket 4711'"].join(' ')

/** A command that takes a step of a rollout. */
function defineAction(name: PersonAction, summary: string, description: string): CliCommand {
  return defineCommand({
    name,
    summary,
    description: `${description}

Without an environment, applies to the only environment that has a rollout. The audit log records the user. With --number,
a push that started another rollout in between makes the command fail.

  ${formatExample(name)}`,
    usage: '[environment]',
    options,
    async run({ args, options: { message, number: given, renderAs: format }, settings, io }) {
      const rollouts = connectToRollouts(settings)
      if (given !== undefined && !/^[1-9]\d{0,8}$/.test(given)) throwIssue(issues.ROLLOUT_NUMBER, { value: given })
      const { environment, rollout } = await rollouts.find(args[0])
      const number = given === undefined ? rollout?.number : Number(given)
      const by = getPusher(process.env)
      const status = await rollouts.send({ environment, action: name, by, number, reason: message })
      if (format === 'json') io.out(`${JSON.stringify(status, undefined, 2)}\n`)
      else if (status.rollout) {
        io.out(`${formatHeadline(environment, status.rollout)}\n`)
        const waiting = formatWaiting(environment, status.rollout)
        if (waiting !== undefined) io.out(`  ${waiting}\n`)
      }
      return 0
    },
  })
}

/** The commands `plumb rollout pause`, `resume`, `promote`, `abort` and `approve`. */
export const rolloutActions = {
  pause: defineAction(
    'pause',
    'Pause a rollout: no further wave starts.',
    `Nodes keep the commit that they have: nodes of started waves the new one, all others the stable one. Halt conditions are
not checked until 'plumb rollout resume'.`,
  ),
  resume: defineAction(
    'resume',
    'Continue a paused rollout, or restart a halted or aborted one.',
    `A paused rollout continues with the wave at which it was paused. After a halt, only reports from now on count. A rollout
whose nodes received the stable commit again restarts with its first wave.`,
  ),
  promote: defineAction(
    'promote',
    'End a rollout by giving the commit to all nodes at once.',
    'All nodes receive the commit with their next run, whatever waves, halt conditions and time windows remain.',
  ),
  abort: defineAction(
    'abort',
    'End a rollout by giving the stable commit to all nodes again.',
    'Nodes of started waves receive the stable commit with their next run. A push of another commit starts a new rollout.',
  ),
  approve: defineAction(
    'approve',
    "Approve the start of the next wave, if it has 'approve: true'.",
    `The wave starts as soon as the wave before it is over. It can be approved earlier. Each wave needs an approval of its
own.`,
  ),
} as const
