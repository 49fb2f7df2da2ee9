import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreMissingFile } from '../../../base/system-error.ts'
import { type GitPlace, runGit } from '../git-command.ts'

/** Milliseconds after which a lock counts as abandoned: git holds a lock only while it writes a few lines. */
const abandonedLockMs = 10_000

/**
 * Opens the bare repository that contains the objects of all sources. If it is missing, creates it
 * with access only for its owner. Removes files left behind by killed processes. Throws GIT_FAILED,
 * GIT_NOT_STARTED.
 */
export async function openSourceStore(path: string, branch: string): Promise<GitPlace> {
  const place = { gitDir: path, quarantine: false } as const
  if (!(await ignoreMissingFile(stat(join(path, 'HEAD'))))) {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await runGit(place, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`, path])
    // Several processes of this program may update refs and wait for each other.
    for (const key of ['core.packedRefsTimeout', 'core.filesRefLockTimeout'])
      await runGit(place, ['config', key, '10000'])
    await runGit(place, ['config', 'gc.autoDetach', 'false'])
  }
  await chmod(path, 0o700)
  await removeAbandonedLocks(path)
  return place
}

/** Removes locks on refs that a killed git left behind; they would block the refs forever. */
export async function removeAbandonedLocks(gitDir: string, now: number = Date.now()): Promise<void> {
  const refs = (await ignoreMissingFile(readdir(join(gitDir, 'refs'), { recursive: true }))) ?? []
  const locks = ['packed-refs.lock', 'HEAD.lock', 'config.lock', ...refs.map((name) => join('refs', name))]
  for (const name of locks.filter((each) => each.endsWith('.lock'))) {
    const found = await ignoreMissingFile(stat(join(gitDir, name)))
    if (found && now - found.mtimeMs > abandonedLockMs) await rm(join(gitDir, name), { force: true })
  }
}

/** A new value for a ref; `undefined` deletes the ref. */
export interface RefMove {
  readonly ref: string
  readonly to: string | undefined
}

/**
 * Updates refs: first all deletions atomically, then all other updates atomically, so that `a` can
 * be replaced by `a/b`. Throws GIT_FAILED.
 */
export async function moveRefs(place: GitPlace, moves: readonly RefMove[]): Promise<void> {
  const gone = moves.filter(({ to }) => to === undefined).map(({ ref }) => `delete ${ref}\0\0`)
  const moved = moves.flatMap(({ ref, to }) => (to === undefined ? [] : [`update ${ref}\0${to}\0\0`]))
  for (const lines of [gone, moved])
    if (lines.length > 0) await runGit(place, ['update-ref', '-z', '--stdin'], lines.join(''))
}

/**
 * Runs git's automatic maintenance, which packs loose objects if there are many (git-gc(1),
 * --auto). Throws GIT_FAILED.
 */
export async function runGitMaintenance(place: GitPlace): Promise<void> {
  await runGit(place, ['gc', '--auto', '--quiet'])
}

/** Returns the refs with a prefix. The keys are the names without the prefix; a tag has the id of its tag object. */
export async function listRefsBelow(place: GitPlace, prefix: string): Promise<ReadonlyMap<string, string>> {
  const listed = await runGit(place, ['for-each-ref', '--format=%(objectname) %(refname)', '--', prefix])
  return new Map(
    listed
      .toString()
      .split('\n')
      .flatMap((line) => {
        const space = line.indexOf(' ')
        return space < 0 ? [] : [[line.slice(space + 1 + prefix.length), line.slice(0, space)] as const]
      }),
  )
}
