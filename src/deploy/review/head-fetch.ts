import { throwIssue } from '../../base/issue.ts'
import type { GitPlace } from '../../code/git/git-command.ts'
import type { GitObjectSource } from '../../code/git/git-object-source.ts'
import { isSafeRef } from '../../code/git/ref-names.ts'
import { listRefsBelow } from '../../code/git/remotes/source-store.ts'
import { fetchInTemporaryFolder } from '../../code/git/remotes/temporary-fetch.ts'
import { type CodeSource, getRefPrefix } from '../sources/code-source.ts'
import type { MergeRequest } from './git-host.ts'
import { reviewIssues } from './review-issues.ts'

/** The repository of all sources, and a folder on its disk for incomplete fetches, which only one fetch uses at a time. */
export interface HeadStore {
  readonly store: GitPlace
  readonly objects: Pick<GitObjectSource, 'resolveRef'>
  readonly incoming: string
}

/**
 * Fetches the newest commit of a merge request into the repository of all sources, unless it is there. No ref leads to
 * it; git's maintenance removes it after two weeks. Throws REMOTE_…, and REVIEW_MOVED if the merge request has another
 * commit by now.
 */
export async function fetchHead(
  source: CodeSource,
  { number, ref, head }: MergeRequest,
  { store, objects, incoming }: HeadStore,
): Promise<void> {
  if ((await objects.resolveRef(head)) !== undefined) return
  const { remote, access, timeoutMs, maxBytes } = source
  const known = await listRefsBelow(store, getRefPrefix(source))
  const order = { store, incoming, remote, access, timeoutMs, maxBytes }
  await fetchInTemporaryFolder(order, new Set(known.values()), async ({ place, fetch }) => {
    const fetchAs = async (wanted: string) => {
      await fetch([`+${wanted}:refs/fetched/head`])
      return (await listRefsBelow(place, 'refs/fetched/')).get('head') === head
    }
    // A host may move the ref some time after it has sent the webhook.
    const isFetched = (isSafeRef(ref) && (await fetchAs(ref))) || (await fetchAs(head))
    if (!isFetched) throwIssue(reviewIssues.REVIEW_MOVED, { number })
  })
}
