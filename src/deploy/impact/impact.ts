import { ImpactRun } from './impact-run.ts'
import type { ImpactOrder } from './order.ts'
import type { Impact } from './result.ts'

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
