import type { CliCommand } from '../command/command.ts'
import { rolloutActions } from './actions.ts'
import { rolloutList } from './list.ts'
import { rolloutShow } from './show.ts'
import { rolloutWatch } from './watch.ts'

/** The command `plumb rollout`. */
export const rolloutCommand: CliCommand = {
  name: 'rollout',
  summary: 'Print and control rollouts, which give a commit to nodes in waves.',
  description: `A rollout gives the commit of a push to a few nodes first, observes their runs, and then continues with the next wave. It
halts if too many nodes fail, and the nodes receive the last stable commit again. The plan is rollout.yaml at the root
of the environment:

  waves:
    - { name: canary, nodes: { certnames: ['web1.example.com', 'canary-*'] }, wait: 10m }
    - { name: tenth,  nodes: { percent: 10, by: [facts.datacenter] }, wait: 30m }
    - { name: rest }
  halt: { failed: 5% }

  git push origin production
  plumb rollout watch production

docs/rollouts.md describes the format.`,
  commands: [
    rolloutList,
    rolloutShow,
    rolloutWatch,
    rolloutActions.pause,
    rolloutActions.resume,
    rolloutActions.promote,
    rolloutActions.abort,
    rolloutActions.approve,
  ],
}
