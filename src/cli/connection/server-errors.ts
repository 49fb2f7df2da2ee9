import { defineIssues, throwIssue } from '../../base/issue.ts'

const issues = defineIssues({
  NO_RUNNING_SERVER: {
    text: (a: { path: string }) => `No server is running (no response on ${a.path})`,
    hint: () => "Start it with 'plumb server'; it deploys the commits of its repository when it starts.",
  },
})

/** Throws NO_RUNNING_SERVER with the path of the control socket. */
export function throwNoRunningServer(path: string): never {
  return throwIssue(issues.NO_RUNNING_SERVER, { path })
}
