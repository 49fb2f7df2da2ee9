import { budgets } from '../../../base/budgets/budgets.ts'
import { throwIssue } from '../../../base/issue.ts'
import { isOid, isSafeRef } from '../ref-names.ts'
import { runRemoteGit } from './remote-git.ts'
import { remoteIssues } from './remote-issues.ts'
import type { FetchOrder } from './temporary-fetch.ts'

/**
 * Limit in bytes for a remote's list of refs: enough for the largest number of refs, each with a
 * name of 256 characters.
 */
const maxListBytes = budgets.environment.refs.bound * 320

/** A remote, and the local repository in which git runs to access it. */
export type RemoteOrder = Omit<FetchOrder, 'incoming' | 'maxBytes'>

/**
 * Lists a remote's refs with full names and object ids, by kind (`--heads`) or by patterns of
 * git-ls-remote(1). Throws REMOTE_….
 */
export async function listRemoteRefs(
  { store, remote, access, timeoutMs, signal }: RemoteOrder,
  wanted: { readonly kinds: readonly string[] } | { readonly patterns: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const [kinds, patterns] = 'kinds' in wanted ? [wanted.kinds, []] : [[], wanted.patterns]
  const words = ['ls-remote', '--quiet', '--refs', ...kinds, '--', remote.url, ...patterns]
  const talk = { remote, access, timeoutMs, signal, gitDir: store.gitDir, maxOutputBytes: maxListBytes }
  const refs = new Map<string, string>()
  for (const line of (await runRemoteGit(words, talk)).split('\n')) {
    const [oid = '', ref = ''] = line.split('\t')
    if (isOid(oid) && isSafeRef(ref)) refs.set(ref, oid)
  }
  const { bound } = budgets.environment.refs
  if (refs.size > bound) throwIssue(remoteIssues.REMOTE_HAS_TOO_MANY_REFS, { url: remote.url, bound })
  return refs
}

/** A new value for a ref of a remote; `undefined` deletes the ref. */
export interface RemoteMove {
  readonly ref: string
  /** The expected old value; `'any'` to accept any old value. */
  readonly from: string | undefined | 'any'
  readonly to: string | undefined
}

/**
 * Updates refs of a remote atomically (git-push(1), `--force-with-lease`). Throws REMOTE_…, also if
 * a ref has changed in the meantime.
 */
export async function pushRefs(
  { store, remote, access, timeoutMs, signal }: RemoteOrder,
  moves: readonly RemoteMove[],
): Promise<void> {
  const leases = moves.flatMap(({ ref, from }) => (from === 'any' ? [] : [`--force-with-lease=${ref}:${from ?? ''}`]))
  const specs = moves.map(({ ref, from, to }) => `${from === 'any' && to !== undefined ? '+' : ''}${to ?? ''}:${ref}`)
  await runRemoteGit(['push', '--quiet', '--atomic', '--no-verify', ...leases, '--', remote.url, ...specs], {
    ...{ remote, access, timeoutMs, signal, gitDir: store.gitDir, maxOutputBytes: maxListBytes },
    doing: 'push to',
  })
}
