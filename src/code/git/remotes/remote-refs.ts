import { budgets } from '../../../base/budgets/budgets.ts'
import { fail } from '../../../base/issue.ts'
import { isOid, isSafeRef } from '../names.ts'
import type { FetchOrder } from './fetch-aside.ts'
import { remoteGit } from './remote-git.ts'
import { remoteIssues } from './remote-issues.ts'

/** Bytes of a remote's list of refs: a name of 256 characters for each of the most refs. */
const maxListBytes = budgets.environment.refs.bound * 320

/** A remote, and the repository of ours that talks to it. */
export type RemoteOrder = Omit<FetchOrder, 'incoming' | 'maxBytes'>

/**
 * The refs that a remote has now, whole names with their objects: of a kind (`--heads`), or by patterns as git-ls-remote(1)
 * has them. Throws REMOTE_….
 */
export async function listRemoteRefs(
  { store, remote, access, timeoutMs, signal }: RemoteOrder,
  wanted: { readonly kinds: readonly string[] } | { readonly patterns: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const [kinds, patterns] = 'kinds' in wanted ? [wanted.kinds, []] : [[], wanted.patterns]
  const words = ['ls-remote', '--quiet', '--refs', ...kinds, '--', remote.url, ...patterns]
  const talk = { remote, access, timeoutMs, signal, gitDir: store.gitDir, maxOutputBytes: maxListBytes }
  const refs = new Map<string, string>()
  for (const line of (await remoteGit(words, talk)).split('\n')) {
    const [oid = '', ref = ''] = line.split('\t')
    if (isOid(oid) && isSafeRef(ref)) refs.set(ref, oid)
  }
  const { bound } = budgets.environment.refs
  if (refs.size > bound) fail(remoteIssues.REMOTE_HAS_TOO_MANY_REFS, { url: remote.url, bound })
  return refs
}

/** A new value of a remote's ref; without one the ref goes. */
export interface RemoteMove {
  readonly ref: string
  /** The object that the ref has to have still; `'any'` where that does not matter. */
  readonly from: string | undefined | 'any'
  readonly to: string | undefined
}

/** Moves refs of a remote, all or none (git-push(1), `--force-with-lease`). Throws REMOTE_…, also where a ref has moved. */
export async function pushRefs(
  { store, remote, access, timeoutMs, signal }: RemoteOrder,
  moves: readonly RemoteMove[],
): Promise<void> {
  const leases = moves.flatMap(({ ref, from }) => (from === 'any' ? [] : [`--force-with-lease=${ref}:${from ?? ''}`]))
  const specs = moves.map(({ ref, from, to }) => `${from === 'any' && to !== undefined ? '+' : ''}${to ?? ''}:${ref}`)
  await remoteGit(['push', '--quiet', '--atomic', '--no-verify', ...leases, '--', remote.url, ...specs], {
    ...{ remote, access, timeoutMs, signal, gitDir: store.gitDir, maxOutputBytes: maxListBytes },
    doing: 'push to',
  })
}
