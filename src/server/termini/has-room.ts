import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { budgets } from '../../base/budgets/budgets.ts'

/** True when the disk of a folder takes so many bytes more and leaves so many free, and has room for files. */
export async function hasRoom(directory: string, wanted: Wanted): Promise<boolean> {
  return isRoom(await statfs(directory), wanted)
}

/** Space that is wanted on a disk and space that must stay free, in bytes. */
export interface Wanted {
  readonly bytes: number
  readonly leave: number
}

/** True for enough room by the figures of a disk. Some disks do not count files: they say 0 of 0. */
export function isRoom(
  { bavail, bsize, files, ffree }: Pick<StatsFs, 'bavail' | 'bsize' | 'files' | 'ffree'>,
  { bytes, leave }: Wanted,
): boolean {
  // A small disk may have few in all: there a tenth is left.
  const kept = Math.min(budgets.request.freeFiles.bound, files / 10)
  return bavail * bsize - bytes >= leave && ffree >= kept
}
