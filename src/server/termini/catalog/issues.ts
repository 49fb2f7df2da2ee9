import { defineIssues } from '../../../base/issue.ts'

/** Errors of catalog requests. */
export const catalogIssues = defineIssues({
  WRONG_NODE_FACTS: {
    text: (a: { node: string; name: string }) =>
      `Catalog for "${a.node}" was requested with fact definition for the wrong node ("${a.name}").`,
  },
  UNKNOWN_NODE: { text: (a: { node: string }) => `Could not find node '${a.node}'; cannot compile` },
  NODE_SEARCH_FAILED: {
    text: (a: { node: string; reason: string; hint: string | undefined }) =>
      `Failed when searching for node ${a.node}: ${a.reason}`,
    hint: (a) => a.hint,
  },
})
