import { defineIssues } from '../../base/issue.ts'
import { formatQuantity } from '../../base/text/quantity.ts'

const accessHint =
  'Check the repository, the token_file and the scopes of its token (review in the file of code_sources); docs/merge-requests.md lists the scopes.'

/** Errors about merge requests, and reasons why a commit lacks approval. */
export const reviewIssues = defineIssues({
  REVIEW_HOST_FAILED: {
    text: (a: { url: string; why: string; status?: number | undefined }) =>
      `The Git host failed to answer ${a.url}: ${a.why}`,
    hint: (a) => (a.status === 401 || a.status === 403 ? accessHint : undefined),
  },
  REVIEW_NOT_FOUND: {
    text: (a: { url: string; why: string }) => `The Git host failed to answer ${a.url}: ${a.why}`,
    hint: () => accessHint,
  },
  REVIEW_REDIRECT: {
    text: (a: { url: string; to: string }) => `The Git host redirected ${a.url} to another host, ${a.to}`,
    hint: () => 'Set url of review to the address of the Git host itself.',
  },
  REVIEW_ANSWER: {
    text: (a: { url: string; what: string }) => `The answer of the Git host to ${a.url} has no valid ${a.what}`,
  },
  REVIEW_TOO_MANY_PAGES: {
    text: (a: { url: string; bound: number }) => `The list ${a.url} of the Git host has more than ${a.bound} pages`,
  },
  REVIEW_TOO_MANY_COMMITS: {
    text: (a: { number: number; bound: number }) =>
      `Merge request ${a.number} has ${a.bound} or more commits, and the Git host does not list who made the others`,
    hint: () => 'Split the merge request, or squash its commits.',
  },
  REVIEW_NOT_CONFIGURED: {
    text: (a: { source: string }) => `The source ${a.source} has no access to merge requests`,
    hint: () => 'Add review to the source in the file of code_sources; see docs/merge-requests.md.',
  },
  REVIEW_NO_ENVIRONMENT: {
    text: (a: { number: number; branch: string }) =>
      `No environment is served from the branch ${a.branch}, the target of merge request ${a.number}`,
  },
  REVIEW_NO_MERGE_REQUEST: {
    text: (a: { commit: string }) => `The Git host knows no open merge request for the commit ${a.commit}`,
  },
  REVIEW_CLOSED: {
    text: (a: { number: number; state: string }) => `Merge request ${a.number} is ${a.state}`,
  },
  REVIEW_FORK: {
    text: (a: { number: number }) =>
      `Merge request ${a.number} comes from a fork; its code is compiled only on request`,
    hint: (a) => `Read its changes, then run 'plumb code review ${a.number}'.`,
  },
  REVIEW_MOVED: {
    text: (a: { number: number }) => `Merge request ${a.number} has a new commit; the review of the older one ends`,
  },
  REVIEW_NO_BASE: {
    text: (a: { number: number; environment: string }) =>
      `Merge request ${a.number} has no commit in common with the environment ${a.environment}`,
  },
  APPROVAL_MISSING: {
    text: (a: { rules: readonly string[]; why: string }) =>
      `${a.rules.length === 1 ? 'The approval rule' : 'The approval rules'} ${a.rules.join(', ')} ${
        a.rules.length === 1 ? 'applies' : 'apply'
      } to the change, and ${a.why}`,
  },
  APPROVALS_TOO_LONG: {
    text: (a: { bound: number }) => `it needs approval and is more than ${formatQuantity(a.bound, 'commit')} ahead`,
  },
})
