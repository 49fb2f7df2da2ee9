import { readDefaultRollout } from '../../../deploy/rollout/default-rollout.ts'
import { definePart } from '../part.ts'

/** The plan of rollouts for environments without a rollout.yaml. An invalid file ends the start, and fails a reload. */
export const defaultRolloutPart = definePart('defaultRollout', [], async ({ settings, system }) => {
  let plan = await readDefaultRollout(settings, system.files)
  return {
    value: { getPlan: () => plan },
    reload: {
      async prepare(next) {
        const read = await readDefaultRollout(next, system.files)
        return () => {
          plan = read
        }
      },
    },
  }
})
