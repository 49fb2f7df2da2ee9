import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { budgets } from '../../base/budgets.ts'
import { fail } from '../../base/issue.ts'
import { unlessMissing } from '../../base/system-error.ts'
import { errorText } from '../../ruby-semantics/errno.ts'
import { type GitPlace, git } from '../git-command.ts'
import { isOid, isSafeRef } from '../names.ts'
import type { Remote } from './remote.ts'
import type { RemoteAccess } from './remote-access.ts'
import { remoteGit } from './remote-git.ts'
import { remoteIssues } from './remote-issues.ts'
import { moveRefs, type RefMove, refsBelow } from './source-store.ts'

/** One fetch of a remote into a repository of ours. */
export interface MirrorOrder {
  readonly store: GitPlace
  /** The folder, on the disk of the store, in which what comes waits until it is known to be whole. */
  readonly incoming: string
  /** The prefix of the remote's refs in the store: `refs/plumb/sources/NAME/`. */
  readonly prefix: string
  readonly remote: Remote
  readonly access: RemoteAccess
  /** True where tags are wanted, too. */
  readonly tags: boolean
  /** Commits that are wanted by their ids, whether a branch leads to them or not. */
  readonly commits: readonly string[]
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

/** A ref of a remote that moved; `undefined` stands for no commit. */
export interface RefChange {
  /** `heads/NAME`, `tags/NAME` or `commits/ID`. */
  readonly ref: string
  readonly old: string | undefined
  readonly new: string | undefined
}

/** What a fetch brought. */
export interface Mirrored {
  readonly changes: readonly RefChange[]
  /** Commits that were wanted by their ids and could not be had, each with the reason. */
  readonly missing: ReadonlyMap<string, string>
}

/**
 * Fetches a remote's refs. All objects come into a folder of their own, as those of a push do (tmp-objdir in git), are
 * counted and checked there, and only then moved into the store; the refs follow. Whatever goes wrong, and whenever the
 * process is killed, the store has what it had before. Throws REMOTE_…, GIT_….
 */
export async function mirror(order: MirrorOrder): Promise<Mirrored> {
  const { store, prefix, commits } = order
  const known = await refsBelow(store, prefix)
  const named = new Map([...known].filter(([ref]) => !ref.startsWith('commits/')))
  const listed = await listedRefs(order)
  if (listed.size === 0 && named.size > 0) fail(remoteIssues.REMOTE_EMPTY, { url: order.remote.url })
  const absent = commits.filter((commit) => !known.has(`commits/${commit}`))
  const isSame = listed.size === named.size && [...listed].every(([ref, oid]) => named.get(ref) === oid)
  const fetched = isSame && absent.length === 0 ? undefined : await fetchAside(order, known, absent)
  const kept = [...known.keys()].filter(
    (ref) => ref.startsWith('commits/') && commits.includes(ref.slice('commits/'.length)),
  )
  const wanted = new Map([...(fetched?.refs ?? named), ...kept.map((ref) => [ref, known.get(ref)!] as const)])
  const changes = changesBetween(known, wanted)
  const moves: RefMove[] = changes.map(({ ref, new: to }) => ({ ref: `${prefix}${ref}`, to }))
  await moveRefs(store, moves)
  return { changes, missing: fetched?.missing ?? new Map() }
}

function changesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly RefChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  return names
    .map((ref) => ({ ref, old: before.get(ref), new: after.get(ref) }))
    .filter((change) => change.old !== change.new)
}

/** Bytes of a remote's list of refs: a name of 256 characters for each of the most refs. */
const maxListBytes = budgets.environment.refs.bound * 320

/** The refs that the remote has now. It tells those that we want only, where it knows git's protocol 2. */
async function listedRefs(order: MirrorOrder): Promise<ReadonlyMap<string, string>> {
  const kinds = order.tags ? ['--heads', '--tags'] : ['--heads']
  const printed = await remoteGit(['ls-remote', '--quiet', '--refs', ...kinds, '--', order.remote.url], {
    ...talkOf(order),
    gitDir: order.store.gitDir,
    maxOutputBytes: maxListBytes,
  })
  const refs = new Map<string, string>()
  for (const line of printed.split('\n')) {
    const [oid = '', ref = ''] = line.split('\t')
    const [, name] = /^refs\/((?:heads|tags)\/.+)$/.exec(ref) ?? []
    if (name !== undefined && isOid(oid) && isSafeRef(ref)) refs.set(name, oid)
  }
  const { bound } = budgets.environment.refs
  if (refs.size > bound) fail(remoteIssues.REMOTE_HAS_TOO_MANY_REFS, { url: order.remote.url, bound })
  return refs
}

interface Fetched {
  readonly refs: ReadonlyMap<string, string>
  readonly missing: ReadonlyMap<string, string>
}

async function fetchAside(
  order: MirrorOrder,
  known: ReadonlyMap<string, string>,
  absent: readonly string[],
): Promise<Fetched> {
  const { store, incoming } = order
  await rm(incoming, { recursive: true, force: true })
  try {
    const aside = await openAside(order, new Set(known.values()))
    const specs = order.tags
      ? ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
      : ['+refs/heads/*:refs/heads/*']
    await fetchInto(aside, order, specs)
    const missing = new Map<string, string>()
    for (const commit of absent)
      await fetchInto(aside, order, [`${commit}:refs/commits/${commit}`]).catch((error) =>
        missing.set(commit, errorText(error)),
      )
    const refs = new Map([...(await refsBelow(aside, 'refs/'))].filter(([ref]) => !ref.startsWith('have/')))
    if (order.signal?.aborted) fail(remoteIssues.REMOTE_FAILED, { url: order.remote.url, why: 'the server ends' })
    await movePacks(aside.gitDir, store.gitDir)
    return { refs, missing }
  } finally {
    await rm(incoming, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** A repository that sees the store's objects, and tells the remote which it has. */
async function openAside({ store, incoming }: MirrorOrder, have: ReadonlySet<string>): Promise<GitPlace> {
  const aside = { gitDir: incoming, quarantine: false } as const
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await git(aside, ['init', '--quiet', '--bare', '--template=', '--initial-branch=none', incoming])
  await mkdir(join(incoming, 'objects/info'), { recursive: true })
  await writeFile(join(incoming, 'objects/info/alternates'), `${join(store.gitDir, 'objects')}\n`)
  const lines = [...have].map((oid, at) => `${oid} refs/have/${at}\n`)
  await writeFile(join(incoming, 'packed-refs'), lines.join(''))
  return aside
}

async function fetchInto({ gitDir }: GitPlace, order: MirrorOrder, specs: readonly string[]): Promise<void> {
  const { url } = order.remote
  const options = [
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--no-show-forced-updates',
  ]
  await remoteGit(['fetch', ...options, '--', url, ...specs], {
    ...talkOf(order),
    gitDir,
    maxOutputBytes: 1024 * 1024,
    async watch() {
      if ((await sizeOf(join(gitDir, 'objects/pack'))) > order.maxBytes)
        fail(remoteIssues.REMOTE_SENDS_TOO_MUCH, { url, bound: order.maxBytes })
    },
  })
}

function talkOf({ remote, access, timeoutMs, signal }: MirrorOrder) {
  return { remote, access, timeoutMs, signal }
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
