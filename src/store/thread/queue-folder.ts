import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Folder of the command queue. */
export function getQueueFolder(folder: string): string {
  return join(folder, 'queue')
}

/**
 * Returns this server's name in a shared database. The name is generated once and stored in the
 * queue's folder, so that a server that lost its queue gets a new name and a new queue position.
 */
export async function getServerName(queue: string): Promise<string> {
  const file = join(queue, 'server')
  await writeFile(file, randomUUID(), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return (await readFile(file, 'utf8')).trim()
}
