import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Path of a queue segment. */
export function getSegmentFile(folder: string, segment: number): string {
  return join(folder, `${String(segment).padStart(10, '0')}.queue`)
}

/** Lists the segment numbers in a folder, lowest first. */
export async function listQueueSegments(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => /^\d{10}\.queue$/.test(name))
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b)
}
