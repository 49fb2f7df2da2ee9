import { defineIssues, diagnose } from '../base/issue.ts'
import { branches } from '../code/environments/git/choose-branches.ts'
import type { GitObjectSource } from '../code/git/git-object-source.ts'
import { type Finding, isNone, type PushedRef } from './check.ts'

/** The variable by which a server tells the hooks that who pushes may take no commits from a branch. */
export const noForceVariable = 'PLUMB_NO_FORCE'

const issues = defineIssues({
  FORCED: {
    text: (a: { branch: string; before: string }) => `The branch ${a.branch} would lose commits: it is at ${a.before}`,
    hint: () =>
      "Fetch, and put yours on top. A rule of auth.conf that allows 'post' to the ref would let you force it.",
  },
})

/** Findings about branches of a push that lose commits by it, where that is not allowed. */
export async function forcedBranches(
  source: GitObjectSource,
  pushed: readonly PushedRef[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Finding[]> {
  if (env[noForceVariable] === undefined) return []
  const moved = pushed.filter(({ ref, before, after }) => ref.startsWith(branches) && !isNone(before) && !isNone(after))
  const findings: Finding[] = []
  for (const { ref, before, after } of moved) {
    if ((await source.mergeBase(before, after)) === before) continue
    const diagnostic = diagnose(issues.FORCED, { branch: ref.slice(branches.length), before })
    findings.push({ ref, commit: after, diagnostic })
  }
  return findings
}
