import { rename } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { getSystemErrorCode } from '../../base/system-error.ts'
import { isWindows } from './machine-path.ts'

/** Milliseconds before each repetition of a rename. */
const renameDelaysMs = [10, 20, 50, 100, 200, 400]

/** Options of Node for the removal of files that another program has open for a moment: about one second. */
export const removalRetries = { maxRetries: 4, retryDelay: 100 } as const

/**
 * Renames a file. On Windows, no file can replace a file that another program has open, such as a virus scanner or the
 * indexer, which read every new file; the rename is repeated for about a second.
 */
export async function renameFile(from: string, to: string, delaysMs: readonly number[] = usualDelaysMs): Promise<void> {
  for (const delayMs of delaysMs) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (!openFileCodes.includes(getSystemErrorCode(error) ?? '')) throw error
    }
    await pause(delayMs)
  }
  await rename(from, to)
}

const usualDelaysMs = isWindows ? renameDelaysMs : []

/** Errors of a file that another program has open, which are also those of a lack of rights. */
const openFileCodes = ['EPERM', 'EACCES', 'EBUSY']
