import { complain } from '../issues.ts'

/** Runs `change`. On failure, throws an error that contains the action and the reason. */
export async function orCannot(action: string, change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    complain(`Could not ${action}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
