import { failWithMessage } from '../issues.ts'

/** Runs `change`. On failure, throws an error that contains the action and the reason. */
export async function withFailureMessage(action: string, change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    failWithMessage(`Could not ${action}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
