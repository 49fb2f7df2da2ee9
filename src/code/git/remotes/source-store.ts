import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '../../../base/system-error.ts'
import { type GitPlace, git } from '../git-command.ts'

/** Milliseconds after which a lock belongs to a process that is no more: git holds one for as long as it writes a few lines. */
const abandonedLockMs = 10_000

/**
 * The bare repository that holds what was fetched from all sources, made if it is not there, for its owner alone; what
 * killed processes left in it is taken away. Throws GIT_FAILED, GIT_NOT_STARTED.
 */
export async function openSourceStore(path: string, branch: string): Promise<GitPlace> {
  const place = { gitDir: path, quarantine: false } as const
  if (!(await unlessMissing(stat(join(path, 'HEAD'))))) {
    await mkdir(path, { recursive: true, mode: 0o700 })
    await git(place, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`, path])
    // Several processes of ours write refs: each waits for the others.
    for (const key of ['core.packedRefsTimeout', 'core.filesRefLockTimeout']) await git(place, ['config', key, '10000'])
    await git(place, ['config', 'gc.autoDetach', 'false'])
  }
  await chmod(path, 0o700)
  await removeAbandonedLocks(path)
  return place
}

/** Removes locks of refs that a killed git left: each would keep its ref from moving for ever. */
export async function removeAbandonedLocks(gitDir: string, now: number = Date.now()): Promise<void> {
  const refs = (await unlessMissing(readdir(join(gitDir, 'refs'), { recursive: true }))) ?? []
  const locks = ['packed-refs.lock', 'HEAD.lock', 'config.lock', ...refs.map((name) => join('refs', name))]
  for (const name of locks.filter((each) => each.endsWith('.lock'))) {
    const found = await unlessMissing(stat(join(gitDir, name)))
    if (found && now - found.mtimeMs > abandonedLockMs) await rm(join(gitDir, name), { force: true })
  }
}

/** A new value of a ref; without a value the ref goes. */
export interface RefMove {
  readonly ref: string
  readonly to: string | undefined
}

/**
 * Moves refs, all or none of those that go, and then all or none of the others: so one may be a folder of the other
 * (`a`, and then `a/b`). Throws GIT_FAILED.
 */
export async function moveRefs(place: GitPlace, moves: readonly RefMove[]): Promise<void> {
  const gone = moves.filter(({ to }) => to === undefined).map(({ ref }) => `delete ${ref}\0\0`)
  const moved = moves.flatMap(({ ref, to }) => (to === undefined ? [] : [`update ${ref}\0${to}\0\0`]))
  for (const lines of [gone, moved])
    if (lines.length > 0) await git(place, ['update-ref', '-z', '--stdin'], lines.join(''))
}

/** Has git pack what has gathered, where it finds that it is time (git-gc(1), --auto). Throws GIT_FAILED. */
export async function tidyStore(place: GitPlace): Promise<void> {
  await git(place, ['gc', '--auto', '--quiet'])
}

/** The refs below a prefix by the rest of their names, as they are: tags are not peeled. */
export async function refsBelow(place: GitPlace, prefix: string): Promise<ReadonlyMap<string, string>> {
  const listed = await git(place, ['for-each-ref', '--format=%(objectname) %(refname)', '--', prefix])
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
