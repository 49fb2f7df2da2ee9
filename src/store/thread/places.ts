import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The folder of the commands that wait. */
export function queueIn(folder: string): string {
  return join(folder, 'queue')
}

/**
 * The name of this server in a database that several share: made once, and kept inside the queue, so that a queue that was lost
 * begins anew.
 */
export async function serverName(queue: string): Promise<string> {
  const file = join(queue, 'server')
  await writeFile(file, randomUUID(), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return (await readFile(file, 'utf8')).trim()
}
