import { complain } from '../issues.ts'

/** Does `change`; when it fails, says what could not be done, and why. */
export async function orCannot(action: string, change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    complain(`Could not ${action}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
