import { defineIssues } from '../../base/issue.ts'

/** Reasons why a query from Puppet code fails. */
export const codeQueryIssues = defineIssues({
  STORE_TOO_SLOW: {
    text: (a: { seconds: number }) => `The store query took longer than ${a.seconds} seconds`,
    hint: () => 'Query fewer fields (nodes[certname] { … }) or fewer rows (limit 100).',
  },
  STORE_QUERIES_DENIED: {
    text: () => 'Store queries are disabled in the gate (gate_store_queries = false)',
    hint: () => 'Push with the option plumb.skip-gate, or set gate_store_queries to true.',
  },
  STORE_ANSWER_TOO_LONG: {
    text: (a: { most: number }) => `The result of the store query exceeds ${a.most} characters`,
    hint: () => 'Query fewer fields (nodes[certname] { … }) or fewer rows (limit 100).',
  },
})
