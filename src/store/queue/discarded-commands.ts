import { mkdir, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { QueuedCommand } from './record.ts'

/** A command that could not be read or written, with the reason. */
export interface DiscardedCommand {
  readonly uuid: string
  readonly name: string
  readonly version: number
  readonly certname: string
  readonly received: string
  readonly problem: string
}

function getDiscardedFolder(queue: string): string {
  return join(queue, 'discarded')
}

/**
 * Stores a command that will not be retried: its payload, and a JSON file with its metadata and the
 * error.
 */
export async function discardCommand(
  queue: string,
  { payload, ...about }: QueuedCommand,
  problem: string,
): Promise<void> {
  const folder = getDiscardedFolder(queue)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const getFilePath = (kind: string) => join(folder, `${about.uuid}.${kind}`)
  await writeSynced(getFilePath('payload'), payload)
  await writeSynced(getFilePath('json'), Buffer.from(JSON.stringify({ ...about, problem })))
}

async function writeSynced(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Lists the discarded commands, oldest first. */
export async function listDiscardedCommands(queue: string): Promise<DiscardedCommand[]> {
  const names = await readdir(getDiscardedFolder(queue)).catch(() => [] as string[])
  const files = names.filter((name) => /^[\w-]+\.json$/.test(name))
  const found = await Promise.all(
    files.map(
      async (name) => JSON.parse(await readFile(join(getDiscardedFolder(queue), name), 'utf8')) as DiscardedCommand,
    ),
  )
  return found.sort((a, b) => (a.received < b.received ? -1 : 1))
}
