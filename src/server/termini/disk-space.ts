import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { budgets } from '../../base/budgets/budgets.ts'

/** True if the disk can store `bytes` and then still has `leave` free bytes and enough free inodes. */
export async function hasDiskSpace(directory: string, wanted: RequiredSpace): Promise<boolean> {
  return isSpaceSufficient(await statfs(directory), wanted)
}

/** Required space, and space to leave free, in bytes. */
export interface RequiredSpace {
  readonly bytes: number
  readonly leave: number
}

/** Compares the figures of a disk with the required space. Some file systems do not count inodes and report 0 of 0. */
export function isSpaceSufficient(
  { bavail, bsize, files, ffree }: Pick<StatsFs, 'bavail' | 'bsize' | 'files' | 'ffree'>,
  { bytes, leave }: RequiredSpace,
): boolean {
  // On a small disk a tenth of all inodes must stay free.
  const kept = Math.min(budgets.request.freeFiles.bound, files / 10)
  return bavail * bsize - bytes >= leave && ffree >= kept
}
