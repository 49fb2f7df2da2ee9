import { defineIssues, fail } from '../../base/issue.ts'

const issues = defineIssues({
  NO_RUNNING_SERVER: {
    text: (a: { path: string }) => `No server answers on ${a.path}`,
    hint: () => "Start one with 'plumb server': it serves what its repository has, and follows it by itself.",
  },
})

/** Throws NO_RUNNING_SERVER. */
export function noServer(path: string): never {
  return fail(issues.NO_RUNNING_SERVER, { path })
}
