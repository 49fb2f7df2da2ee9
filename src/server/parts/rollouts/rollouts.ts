import type { Settings } from '../../../machine/settings/settings.ts'
import { RolloutTable } from '../../rollouts/rollout-table.ts'
import { Rollouts } from '../../rollouts/rollouts.ts'
import { auditPart } from '../audit.ts'
import { definePart } from '../part.ts'
import { storePart } from '../store.ts'
import { defaultRolloutPart } from './default-rollout.ts'

/** The commits that nodes receive during rollouts. The part `rolloutStates` connects the store. */
export const rolloutsPart = definePart(
  'rollouts',
  [defaultRolloutPart, auditPart],
  ({ settings, log, defaultRollout, audit }) => {
    const rollouts = new Rollouts({
      getDefaultPlan: defaultRollout.getPlan,
      isShared: isSharedStore(settings),
      log: (level, message) => log[level](message),
    })
    rollouts.onStep(({ environment, step: { at: _, ...step }, state: { rollout, stable } }) =>
      audit?.add({
        kind: 'rollout',
        environment,
        number: rollout?.number ?? 0,
        code_id: rollout?.to ?? stable,
        ...step,
      }),
    )
    return { value: rollouts }
  },
)

/** The stored states of rollouts, read before the server listens; undefined without a store of its own. */
export const rolloutStatesPart = definePart('rolloutStates', [rolloutsPart, storePart], async ({ rollouts, store }) => {
  const rows = store?.store.rollouts
  const table = rows && new RolloutTable(rows)
  await rollouts.attach(table)
  return { value: rows && table && { rows, table } }
})

/** True if other servers may change the rows of rollouts. */
export function isSharedStore({ store }: Pick<Settings, 'store'>): boolean {
  return store !== 'sqlite'
}
