import { budgets } from '../../../base/budgets/budgets.ts'
import { defineIssues, PuppetError, throwIssue } from '../../../base/issue.ts'
import { toPrintable } from '../../../base/text/printable.ts'
import { awaitWithTimeout } from '../../../base/time/promise-timeout.ts'

const issues = defineIssues({
  PLUG_IN_FAILED: {
    text: (a: { path: string; what: string; why: string }) => `The plug-in ${a.path} failed in ${a.what}: ${a.why}`,
  },
})

/**
 * Runs a plug-in function within the time limit. Throws PLUG_IN_FAILED with the plug-in's message.
 */
export async function callPlugIn(path: string, what: string, work: () => unknown): Promise<unknown> {
  try {
    return await runPlugIn(work)
  } catch (error) {
    if (error instanceof PuppetError) throw error
    return throwIssue(issues.PLUG_IN_FAILED, { path, what, why: formatPlugInError(error) })
  }
}

/** Runs a plug-in function within the time limit. Throws the plug-in's error. */
export function runPlugIn(work: () => unknown): Promise<unknown> {
  const { bound } = budgets.plugIn.time
  return awaitWithTimeout((async () => work())(), bound, () => new Error(`it took longer than ${bound / 1000} seconds`))
}

/** Message of a plug-in's error, on one line and shortened. */
export function formatPlugInError(error: unknown): string {
  return toPrintable(String((error as Error)?.message ?? error)).slice(0, 500)
}
