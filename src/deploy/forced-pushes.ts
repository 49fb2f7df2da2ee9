import { createDiagnostic, defineIssues } from '../base/issue.ts'
import { branches } from '../code/environments/git/branch-choice.ts'
import type { GitObjectSource } from '../code/git/git-object-source.ts'
import { isNullOid, type PushedRef, type PushFinding } from './push-check.ts'

/** Environment variable with which a server tells the hooks that the pusher may not force-push branches. */
export const noForceVariable = 'PLUMB_NO_FORCE'

const issues = defineIssues({
  FORCED: {
    text: (a: { branch: string; before: string }) =>
      `The push would remove commits from the branch ${a.branch}, which is at ${a.before}`,
    hint: () =>
      "Fetch the branch, and rebase your commits. Force-pushes require a rule in auth.conf that allows 'post' for the ref.",
  },
})

/** Findings about branches from which a push removes commits, if force-pushes are not allowed. */
export async function findForcedBranches(
  source: GitObjectSource,
  pushed: readonly PushedRef[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly PushFinding[]> {
  if (env[noForceVariable] === undefined) return []
  const moved = pushed.filter(
    ({ ref, before, after }) => ref.startsWith(branches) && !isNullOid(before) && !isNullOid(after),
  )
  const findings: PushFinding[] = []
  for (const { ref, before, after } of moved) {
    if ((await source.mergeBase(before, after)) === before) continue
    const diagnostic = createDiagnostic(issues.FORCED, { branch: ref.slice(branches.length), before })
    findings.push({ ref, commit: after, diagnostic })
  }
  return findings
}
