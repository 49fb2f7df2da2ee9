import { defineIssues } from '../../base/issue.ts'

/** Reasons why a query from Puppet code fails. */
export const codeQueryIssues = defineIssues({
  STORE_TOO_SLOW: {
    text: (a: { seconds: number }) => `The store did not answer a query within ${a.seconds} seconds`,
    hint: () => 'Ask for less: fewer fields (nodes[certname] { … }), or fewer rows (limit 100).',
  },
  STORE_QUERIES_DENIED: {
    text: () => 'The store answers no queries while a push is tried (gate_store_queries = false)',
    hint: () => 'A push that adds such a query needs the push option plumb.skip-gate, or gate_store_queries = true.',
  },
  STORE_ANSWER_TOO_LONG: {
    text: (a: { most: number }) => `The store's answer to a query has more than ${a.most} characters`,
    hint: () => 'Ask for less: fewer fields (nodes[certname] { … }), or fewer rows (limit 100).',
  },
})
