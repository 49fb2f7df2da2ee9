import { readdir, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { defineIssues, fail } from '../../base/issue.ts'

const issues = defineIssues({
  NO_QUARANTINE: {
    text: (a: { path: string; repository: string }) =>
      `${a.path} is not a quarantine directory of a push to ${a.repository}`,
  },
})

/** Git's names of quarantines, of 2.35 and newer and of older ones: tmp-objdir.c. */
const name = /^(?:tmp_objdir-)?incoming-[A-Za-z0-9]{1,32}$/

/** The age at which a quarantine in which nothing comes any more is of no push: no push takes so long. Milliseconds. */
const deadAfterMs = 24 * 3600 * 1000

/**
 * Removes the quarantines of pushes that are no more. Git leaves one behind when it is ended by a signal, be it that of a
 * lost connection, and `git gc` takes it away after two weeks. Answers how many there were.
 */
export async function removeDeadQuarantines(repository: string, now: number): Promise<number> {
  const objects = join(repository, 'objects')
  const paths = (await readdir(objects)).filter((each) => name.test(each)).map((each) => join(objects, each))
  const times = await Promise.all(paths.map(lastChange))
  const dead = paths.filter((_, at) => now - times[at]! > deadAfterMs)
  await Promise.all(dead.map((path) => rm(path, { recursive: true, force: true })))
  return dead.length
}

/** The last change of a folder, or of the one within it in which packs come. */
async function lastChange(path: string): Promise<number> {
  const times = await Promise.all([path, join(path, 'pack')].map((each) => stat(each).catch(() => undefined)))
  return Math.max(...times.map((time) => time?.mtimeMs ?? 0))
}

/**
 * The real path of a push's quarantine, a folder of git's beside the objects of the repository. Throws NO_QUARANTINE for
 * any other: whoever names it would have git read objects from there.
 */
export async function quarantineOf(repository: string, path: string): Promise<string> {
  const refuse = () => fail(issues.NO_QUARANTINE, { path, repository })
  const real = await realpath(path).catch(refuse)
  const objects = await realpath(join(repository, 'objects')).catch(refuse)
  const isThere = dirname(real) === objects && name.test(basename(real))
  return isThere && (await stat(real)).isDirectory() ? real : refuse()
}
