import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { defineIssues, fail } from '../base/issue.ts'

const issues = defineIssues({
  NO_QUARANTINE: {
    text: (a: { path: string; repository: string }) => `${a.path} is no quarantine of a push to ${a.repository}`,
  },
})

/** Git's names of quarantines, of 2.35 and newer and of older ones: tmp-objdir.c. */
const name = /^(?:tmp_objdir-)?incoming-[A-Za-z0-9]{1,32}$/

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
