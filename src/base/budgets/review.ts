import { createBudget, KiB, MiB } from './budget.ts'

/** Budgets of merge requests: the API of Git hosts, approval rules and comments. */
// biome-ignore format: one line per budget
export const reviewBudgets = {
  answer: createBudget(4 * MiB, 'bytes', 'one answer of the API of a Git host', 'a page of a hundred comments of 32 KiB', 'the request fails: a review is not published, and a commit that needs approval is not served'),
  values: createBudget(200_000, 'items', 'values in one answer of the API of a Git host', 'a page of a hundred merge requests has about 30,000', 'the request fails: a review is not published, and a commit that needs approval is not served'),
  requestTime: createBudget(30_000, 'ms', 'the time of one request to the API of a Git host', 'most answers take less than a second', 'the request fails: a review is not published, and a commit that needs approval is not served'),
  pages: createBudget(20, 'items', 'pages of one list of the API of a Git host, each of at most a hundred entries', 'long merge requests have some hundred comments', 'the list fails: a review is not published, or a commit that needs approval is not served'),
  waiting: createBudget(100, 'items', 'merge requests that wait for their review', 'a busy team has ten open merge requests', 'further merge requests are reviewed at their next push'),
  commits: createBudget(100, 'items', 'commits of a branch between the served commit and a commit that needs approval, each of which may have come from a merge request', 'a webhook for each merge leads to one', 'the commit is not served'),
  rulesFile: createBudget(64 * KiB, 'bytes', 'approvals.yaml', 'a hundred rules take about 20 KiB', 'the push is rejected; no commit is served after one with such a file'),
  rules: createBudget(200, 'items', 'rules in approvals.yaml, and entries of one list in a rule', 'most sites have about five', 'the push is rejected; no commit is served after one with such a file'),
}
