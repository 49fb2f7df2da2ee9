import { readdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'

const issues = defineIssues({
  NO_QUARANTINE: {
    text: (a: { path: string; repository: string }) =>
      `${a.path} is not a quarantine directory of a push to ${a.repository}`,
  },
})

/** Names of git's quarantine folders in version 2.35 and newer, and in older versions: tmp-objdir.c. */
const name = /^(?:tmp_objdir-)?incoming-[A-Za-z0-9]{1,32}$/

/** Milliseconds without a change after which a quarantine counts as abandoned: no push takes this long. */
const deadAfterMs = 24 * 3600 * 1000

/**
 * Removes abandoned quarantine folders, and returns their number. Git leaves a folder behind if it
 * is killed by a signal, also after a lost connection; `git gc` would remove the folder only after
 * two weeks.
 */
export async function removeAbandonedQuarantines(repository: string, now: number): Promise<number> {
  const objects = join(repository, 'objects')
  const paths = (await readdir(objects)).filter((each) => name.test(each)).map((each) => join(objects, each))
  const times = await Promise.all(paths.map(getLastChangeTime))
  const dead = paths.filter((_, at) => now - times[at]! > deadAfterMs)
  await Promise.all(dead.map((path) => rm(path, { recursive: true, force: true })))
  return dead.length
}

/** Returns the time of the last change in a folder, or in its subfolder of incoming packs. */
async function getLastChangeTime(path: string): Promise<number> {
  const times = await Promise.all([path, join(path, 'pack')].map((each) => stat(each).catch(() => undefined)))
  return Math.max(...times.map((time) => time?.mtimeMs ?? 0))
}

/**
 * Returns the real path of a push's quarantine, which is a folder inside the repository's objects.
 * Throws NO_QUARANTINE for any other path, because git would read objects from it.
 */
export async function resolveQuarantine(repository: string, path: string): Promise<string> {
  const failNoQuarantine = () => throwIssue(issues.NO_QUARANTINE, { path, repository })
  const real = await realpath(path).catch(failNoQuarantine)
  const objects = await realpath(join(repository, 'objects')).catch(failNoQuarantine)
  const isThere = dirname(real) === objects && name.test(basename(real))
  return isThere && (await stat(real)).isDirectory() ? real : failNoQuarantine()
}
