import { budgets } from '../../../base/budgets/budgets.ts'
import { defineIssues, fail, PuppetError } from '../../../base/issue.ts'
import { printable } from '../../../base/text/printable.ts'
import { inTime } from '../../../base/time/in-time.ts'

const issues = defineIssues({
  PLUG_IN_FAILED: {
    text: (a: { path: string; what: string; why: string }) => `The plug-in ${a.path} failed in ${a.what}: ${a.why}`,
  },
})

/**
 * Runs a plug-in function within the time limit. Throws PLUG_IN_FAILED with the plug-in's message.
 */
export async function askPlugIn(path: string, what: string, work: () => unknown): Promise<unknown> {
  try {
    return await answerOf(work)
  } catch (error) {
    if (error instanceof PuppetError) throw error
    return fail(issues.PLUG_IN_FAILED, { path, what, why: wordsOf(error) })
  }
}

/** Runs a plug-in function within the time limit. Throws the plug-in's error. */
export function answerOf(work: () => unknown): Promise<unknown> {
  const { bound } = budgets.plugIn.time
  return inTime((async () => work())(), bound, () => new Error(`it took longer than ${bound / 1000} seconds`))
}

/** Message of a plug-in's error, on one line and shortened. */
export function wordsOf(error: unknown): string {
  return printable(String((error as Error)?.message ?? error)).slice(0, 500)
}
