import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { throwIssue } from '../../../base/issue.ts'
import { ignoreMissingFile } from '../../../base/system-error.ts'
import { type GitPlace, runGit } from '../git-command.ts'
import type { Remote } from './remote.ts'
import type { RemoteAccess } from './remote-access.ts'
import { runRemoteGit } from './remote-git.ts'
import { remoteIssues } from './remote-issues.ts'

/** A fetch from a remote into one of this server's repositories. */
export interface FetchOrder {
  readonly store: GitPlace
  /** Folder that holds incoming objects until they are complete, on the same disk as the store. */
  readonly incoming: string
  readonly remote: Remote
  readonly access: RemoteAccess
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

/** A temporary repository that receives the objects of a fetch. */
export interface TemporaryFetch {
  readonly place: GitPlace
  /** Fetches refs into the temporary repository, with git's refspecs. */
  fetch(specs: readonly string[]): Promise<void>
}

/**
 * Fetches into a temporary folder, as git does for a push (tmp-objdir), and moves complete packs
 * into the store after `work` has finished. `have` lists commits that the remote need not send.
 * Refs of the store do not change. Throws REMOTE_…, GIT_….
 */
export async function fetchInTemporaryFolder<Result>(
  order: FetchOrder,
  have: ReadonlySet<string>,
  work: (aside: TemporaryFetch) => Promise<Result>,
): Promise<Result> {
  const { store, incoming } = order
  await rm(incoming, { recursive: true, force: true })
  try {
    const place = await createTemporaryRepository(order, have)
    const result = await work({ place, fetch: (specs) => fetchRefs(place, order, specs) })
    if (order.signal?.aborted)
      throwIssue(remoteIssues.REMOTE_FAILED, { url: order.remote.url, why: 'the server is stopping' })
    await movePacks(place.gitDir, store.gitDir)
    return result
  } finally {
    await rm(incoming, { recursive: true, force: true, maxRetries: 3 })
  }
}

/**
 * Creates a temporary repository that uses the store's objects. Its refs point to the commits in
 * `have`, so that the remote does not send them.
 */
async function createTemporaryRepository(
  { store, incoming }: FetchOrder,
  have: ReadonlySet<string>,
): Promise<GitPlace> {
  const aside = { gitDir: incoming, quarantine: false } as const
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await runGit(aside, ['init', '--quiet', '--bare', '--template=', '--initial-branch=none', incoming])
  await mkdir(join(incoming, 'objects/info'), { recursive: true })
  await writeFile(join(incoming, 'objects/info/alternates'), `${join(store.gitDir, 'objects')}\n`)
  const lines = [...have].map((oid, at) => `${oid} refs/have/${at}\n`)
  await writeFile(join(incoming, 'packed-refs'), lines.join(''))
  return aside
}

async function fetchRefs({ gitDir }: GitPlace, order: FetchOrder, specs: readonly string[]): Promise<void> {
  const { remote, access, timeoutMs, signal } = order
  const { url } = remote
  const options = [
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--no-show-forced-updates',
  ]
  await runRemoteGit(['fetch', ...options, '--', url, ...specs], {
    ...{ remote, access, timeoutMs, signal },
    gitDir,
    maxOutputBytes: 1024 * 1024,
    async watch() {
      if ((await computeFolderSize(join(gitDir, 'objects/pack'))) > order.maxBytes)
        throwIssue(remoteIssues.REMOTE_SENDS_TOO_MUCH, { url, bound: order.maxBytes })
    },
  })
}

/** Returns the total size in bytes of the files in a folder, including partial ones. */
async function computeFolderSize(folder: string): Promise<number> {
  let size = 0
  for (const name of (await ignoreMissingFile(readdir(folder))) ?? [])
    size += (await ignoreMissingFile(stat(join(folder, name))))?.size ?? 0
  return size
}

/** Git uses a pack once its index exists, so the index is moved last. */
const inOrder = ['.pack', '.rev', '.idx']

async function movePacks(from: string, to: string): Promise<void> {
  const target = join(to, 'objects/pack')
  await mkdir(target, { recursive: true })
  const names = (await ignoreMissingFile(readdir(join(from, 'objects/pack')))) ?? []
  for (const ending of inOrder)
    for (const name of names.filter((each) => each.startsWith('pack-') && each.endsWith(ending)))
      await rename(join(from, 'objects/pack', name), join(target, name))
  const folder = await open(target, 'r')
  await folder.sync().finally(() => folder.close())
}
