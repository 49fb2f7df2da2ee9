import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../../../base/issue.ts'
import { unlessMissing } from '../../../base/system-error.ts'
import { type GitPlace, git } from '../git-command.ts'
import type { Remote } from './remote.ts'
import type { RemoteAccess } from './remote-access.ts'
import { remoteGit } from './remote-git.ts'
import { remoteIssues } from './remote-issues.ts'

/** One fetch of a remote into a repository of ours. */
export interface FetchOrder {
  readonly store: GitPlace
  /** The folder, on the disk of the store, in which what comes waits until it is known to be whole. */
  readonly incoming: string
  readonly remote: Remote
  readonly access: RemoteAccess
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

/** The repository beside the store into which a fetch goes. */
export interface Aside {
  readonly place: GitPlace
  /** Fetches refs into it, by git's refspecs. */
  fetch(specs: readonly string[]): Promise<void>
}

/**
 * Fetches into a folder of its own, as a push does (tmp-objdir in git); what is whole there when `work` is done comes into
 * the store. `have` are commits that the remote need not send. Refs of the store are left alone. Throws REMOTE_…, GIT_….
 */
export async function fetchAside<Result>(
  order: FetchOrder,
  have: ReadonlySet<string>,
  work: (aside: Aside) => Promise<Result>,
): Promise<Result> {
  const { store, incoming } = order
  await rm(incoming, { recursive: true, force: true })
  try {
    const place = await openAside(order, have)
    const result = await work({ place, fetch: (specs) => fetchInto(place, order, specs) })
    if (order.signal?.aborted) fail(remoteIssues.REMOTE_FAILED, { url: order.remote.url, why: 'the server ends' })
    await movePacks(place.gitDir, store.gitDir)
    return result
  } finally {
    await rm(incoming, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** A repository that sees the store's objects, and tells the remote which it has. */
async function openAside({ store, incoming }: FetchOrder, have: ReadonlySet<string>): Promise<GitPlace> {
  const aside = { gitDir: incoming, quarantine: false } as const
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await git(aside, ['init', '--quiet', '--bare', '--template=', '--initial-branch=none', incoming])
  await mkdir(join(incoming, 'objects/info'), { recursive: true })
  await writeFile(join(incoming, 'objects/info/alternates'), `${join(store.gitDir, 'objects')}\n`)
  const lines = [...have].map((oid, at) => `${oid} refs/have/${at}\n`)
  await writeFile(join(incoming, 'packed-refs'), lines.join(''))
  return aside
}

async function fetchInto({ gitDir }: GitPlace, order: FetchOrder, specs: readonly string[]): Promise<void> {
  const { remote, access, timeoutMs, signal } = order
  const { url } = remote
  const options = [
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--no-show-forced-updates',
  ]
  await remoteGit(['fetch', ...options, '--', url, ...specs], {
    ...{ remote, access, timeoutMs, signal },
    gitDir,
    maxOutputBytes: 1024 * 1024,
    async watch() {
      if ((await sizeOf(join(gitDir, 'objects/pack'))) > order.maxBytes)
        fail(remoteIssues.REMOTE_SENDS_TOO_MUCH, { url, bound: order.maxBytes })
    },
  })
}

/** Bytes of the files of a folder, those among them that are still written. */
async function sizeOf(folder: string): Promise<number> {
  let size = 0
  for (const name of (await unlessMissing(readdir(folder))) ?? [])
    size += (await unlessMissing(stat(join(folder, name))))?.size ?? 0
  return size
}

/** A pack is there for git once its index is. */
const inOrder = ['.pack', '.rev', '.idx']

async function movePacks(from: string, to: string): Promise<void> {
  const target = join(to, 'objects/pack')
  await mkdir(target, { recursive: true })
  const names = (await unlessMissing(readdir(join(from, 'objects/pack')))) ?? []
  for (const ending of inOrder)
    for (const name of names.filter((each) => each.startsWith('pack-') && each.endsWith(ending)))
      await rename(join(from, 'objects/pack', name), join(target, name))
  const folder = await open(target, 'r')
  await folder.sync().finally(() => folder.close())
}
