import { throwIssue } from '../../../base/issue.ts'
import { formatError } from '../../../language/ruby-semantics/errno.ts'
import { remoteIssues } from './remote-issues.ts'
import { listRemoteRefs } from './remote-refs.ts'
import { listRefsBelow, moveRefs, type RefMove } from './source-store.ts'
import { type FetchOrder, fetchInTemporaryFolder } from './temporary-fetch.ts'

/** A remote, and the way to mirror it into one of this server's repositories. */
export interface MirrorOrder extends FetchOrder {
  /** Prefix of the remote's refs in the store: `refs/plumb/sources/NAME/`. */
  readonly prefix: string
  /** True to fetch tags, too. */
  readonly tags: boolean
  /** Commits to fetch by id, even if no branch contains them. */
  readonly commits: readonly string[]
}

/** A change of a remote ref; `undefined` means that the ref does not exist. */
export interface RefChange {
  /** `heads/NAME`, `tags/NAME` or `commits/ID`. */
  readonly ref: string
  readonly old: string | undefined
  readonly new: string | undefined
}

/** The result of a fetch. */
export interface MirrorResult {
  readonly changes: readonly RefChange[]
  /** Requested commits that could not be fetched, with the reason. */
  readonly missing: ReadonlyMap<string, string>
}

/**
 * Fetches a remote's refs. Objects are received in a temporary folder, as git does for a push
 * (tmp-objdir), and are counted and checked there. Then they are moved into the store, and the refs
 * are updated. After an error or a crash, the store is unchanged. Throws REMOTE_…, GIT_….
 */
export async function mirrorRemote(order: MirrorOrder): Promise<MirrorResult> {
  const { store, prefix, commits } = order
  const known = await listRefsBelow(store, prefix)
  const named = new Map([...known].filter(([ref]) => !ref.startsWith('commits/')))
  const listed = await listMirroredRefs(order)
  if (listed.size === 0 && named.size > 0) throwIssue(remoteIssues.REMOTE_EMPTY, { url: order.remote.url })
  const absent = commits.filter((commit) => !known.has(`commits/${commit}`))
  const isSame = listed.size === named.size && [...listed].every(([ref, oid]) => named.get(ref) === oid)
  const fetched = isSame && absent.length === 0 ? undefined : await fetchNewObjects(order, known, absent)
  const kept = [...known.keys()].filter(
    (ref) => ref.startsWith('commits/') && commits.includes(ref.slice('commits/'.length)),
  )
  const wanted = new Map([...(fetched?.refs ?? named), ...kept.map((ref) => [ref, known.get(ref)!] as const)])
  const changes = compareRefs(known, wanted)
  const moves: RefMove[] = changes.map(({ ref, new: to }) => ({ ref: `${prefix}${ref}`, to }))
  await moveRefs(store, moves)
  return { changes, missing: fetched?.missing ?? new Map() }
}

function compareRefs(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly RefChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort()
  return names
    .map((ref) => ({ ref, old: before.get(ref), new: after.get(ref) }))
    .filter((change) => change.old !== change.new)
}

/** Lists the remote's refs; with protocol version 2, the remote sends only the requested kinds of refs. */
async function listMirroredRefs(order: MirrorOrder): Promise<ReadonlyMap<string, string>> {
  const listed = await listRemoteRefs(order, { kinds: order.tags ? ['--heads', '--tags'] : ['--heads'] })
  return new Map(
    [...listed].flatMap(([ref, oid]) => {
      const [, name] = /^refs\/((?:heads|tags)\/.+)$/.exec(ref) ?? []
      return name === undefined ? [] : [[name, oid] as const]
    }),
  )
}

interface Fetched {
  readonly refs: ReadonlyMap<string, string>
  readonly missing: ReadonlyMap<string, string>
}

function fetchNewObjects(
  order: MirrorOrder,
  known: ReadonlyMap<string, string>,
  absent: readonly string[],
): Promise<Fetched> {
  const heads = '+refs/heads/*:refs/heads/*'
  return fetchInTemporaryFolder(order, new Set(known.values()), async ({ place, fetch }) => {
    await fetch(order.tags ? [heads, '+refs/tags/*:refs/tags/*'] : [heads])
    const missing = new Map<string, string>()
    for (const commit of absent)
      await fetch([`${commit}:refs/commits/${commit}`]).catch((error) => missing.set(commit, formatError(error)))
    const refs = new Map([...(await listRefsBelow(place, 'refs/'))].filter(([ref]) => !ref.startsWith('have/')))
    return { refs, missing }
  })
}
