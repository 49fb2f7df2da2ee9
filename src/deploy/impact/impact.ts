import type { ImpactOrder } from './impact-request.ts'
import type { Impact } from './impact-result.ts'
import { ImpactRun } from './impact-run.ts'

/** Returns the impact of a code change on nodes. */
export async function computeImpact(order: ImpactOrder): Promise<Impact> {
  const run = new ImpactRun(order)
  try {
    await run.findAffected()
    await run.compareAffected()
    await run.followExports()
    return await run.impact()
  } finally {
    await run.close()
  }
}
