import { defineIssues } from '../../base/issue.ts'

/** Why code has no answer of the store. */
export const issues = defineIssues({
  STORE_TOO_SLOW: {
    text: (a: { seconds: number }) => `The store did not answer a query within ${a.seconds} seconds`,
    hint: () => 'Ask for less: fewer fields (nodes[certname] { … }), or fewer rows (limit 100).',
  },
  STORE_ANSWER_TOO_LONG: {
    text: (a: { most: number }) => `The store's answer to a query has more than ${a.most} characters`,
    hint: () => 'Ask for less: fewer fields (nodes[certname] { … }), or fewer rows (limit 100).',
  },
  NO_ANSWER_IN_FILE: {
    text: (a: { question: string; file: string }) => `There is no answer to ${a.question} in ${a.file}`,
    hint: () => 'plumb catalog compile --save-answers writes such a file, with the answers of a store.',
  },
  UNREADABLE_ANSWERS: {
    text: (a: { file: string; reason: string }) => `Could not read answers from ${a.file}: ${a.reason}`,
    hint: () => 'It is {"answers":[{"query":"nodes { }","answer":[…]}]}.',
  },
})
