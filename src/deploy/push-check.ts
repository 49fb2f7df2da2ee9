import { createDiagnostic, type Diagnostic, defineIssues, formatDiagnosticLine, PuppetError } from '../base/issue.ts'
import { formatQuantity } from '../base/text/quantity.ts'
import { type BranchNaming, nameAfterBranch } from '../code/environments/environment-name.ts'
import { branches } from '../code/environments/git/branch-choice.ts'
import { findCommitProblems } from '../code/environments/git/commit-rules.ts'
import { getLoadLimits } from '../code/environments/git/load-limits.ts'
import { environmentIssues } from '../code/environments/issues.ts'
import type { GitObjectSource, GitTreeEntry } from '../code/git/git-object-source.ts'
import { findRefProblem, isInternalRef } from '../code/git/ref-names.ts'
import type { Settings } from '../machine/settings/settings.ts'
import { findCommitFileProblems, formatFileKey } from './commit-file-check.ts'
import { createRubySyntaxCheck } from './ruby-syntax.ts'

/** One line of the input of a pre-receive hook. */
export interface PushedRef {
  readonly ref: string
  /** Old commit of the ref; all zeros for a new ref. */
  readonly before: string
  /** New commit of the ref; all zeros for a deleted ref. */
  readonly after: string
}

/** A diagnostic of one ref of a push. */
export interface PushFinding {
  readonly ref: string
  readonly commit: string
  readonly diagnostic: Diagnostic
}

const issues = defineIssues({
  REF_REFUSED: { text: (a: { ref: string; reason: string }) => `The ref ${a.ref} is rejected: ${a.reason}` },
  ENVIRONMENT_COLLISION: {
    text: (a: { branch: string; other: string; environment: string }) =>
      `The branch ${a.branch} maps to the environment ${a.environment}, which already belongs to the branch ${a.other}`,
    hint: () => 'In environment names, every character other than a-z, A-Z, 0-9 and _ becomes _. Rename the branch.',
  },
  RENAMED: {
    text: (a: { branch: string; environment: string }) =>
      `The branch ${a.branch} becomes the environment ${a.environment}`,
    hint: (a) => `Use this name on nodes: 'plumb agent --test --environment ${a.environment}'.`,
  },
  GOES: {
    text: (a: { branch: string; environment: string }) =>
      `Deleting the branch ${a.branch} removes the environment ${a.environment}: its nodes will receive no new catalogs`,
    hint: () => 'The nodes apply their cached catalogs until they request another environment.',
  },
  CHANGES_HANDS: {
    text: (a: { branch: string; environment: string; heir: string }) =>
      `After deleting the branch ${a.branch}, the environment ${a.environment} belongs to the branch ${a.heir}`,
  },
})

/** Maximum number of problems reported for one commit. */
const maxTold = 100

/** Checks the branches of a push: parses every added or changed file that a compilation can read. */
export async function checkPush(
  source: GitObjectSource,
  pushed: readonly PushedRef[],
  settings: Settings,
  naming: BranchNaming = nameAfterBranch,
): Promise<readonly PushFinding[]> {
  const refused = findRejectedRefs(pushed)
  if (refused.length > 0) return refused
  const ofBranches = pushed.filter(({ ref }) => ref.startsWith(branches))
  const moved = ofBranches.filter(({ after }) => !isNullOid(after))
  const known = await listEnvironmentsAfterPush(source, pushed, naming)
  const findings: PushFinding[] = ofBranches
    .filter(({ after }) => isNullOid(after))
    .flatMap(({ ref, before }) =>
      listDeletedBranchWarnings(ref, known, naming).map((diagnostic) => ({ ref, commit: before, diagnostic })),
    )
  const checked = new Map<string, readonly Diagnostic[]>()
  for (const { ref, before, after } of moved) {
    const toFinding = (diagnostic: Diagnostic): PushFinding => ({ ref, commit: after, diagnostic })
    if (isNullOid(before)) findings.push(...findNewBranchProblems(ref, known, { settings, naming }).map(toFinding))
    const problems =
      checked.get(`${before} ${after}`) ??
      (await checkCommit(source, after, settings, isNullOid(before) ? [] : [before]))
    checked.set(`${before} ${after}`, problems)
    findings.push(...problems.map(toFinding))
  }
  return findings
}

/** Findings about refs that may not be created or moved, and about the server's own refs, which may not be deleted either. */
function findRejectedRefs(pushed: readonly PushedRef[]): readonly PushFinding[] {
  return pushed.flatMap(({ ref, after }) => {
    const reason = isNullOid(after) && !isInternalRef(ref) ? undefined : findRefProblem(ref)
    return reason === undefined
      ? []
      : [{ ref, commit: after, diagnostic: createDiagnostic(issues.REF_REFUSED, { ref, reason }) }]
  })
}

/** The first error in one line, with the number of other errors; `undefined` without an error. */
export function formatFirstError(problems: readonly Diagnostic[]): string | undefined {
  const [first, ...others] = problems.filter(({ severity }) => severity === 'error')
  if (!first) return undefined
  return others.length > 0
    ? `${formatDiagnosticLine(first)}; and ${formatQuantity(others.length, 'error')} more`
    : formatDiagnosticLine(first)
}

/** Diagnostics of a commit and of its files. Skips files that the commits in `since` also contain. */
export async function checkCommit(
  source: GitObjectSource,
  commit: string,
  settings: Settings,
  since: readonly string[] = [],
): Promise<readonly Diagnostic[]> {
  try {
    return await findFileProblems(source, commit, settings, since)
  } catch (error) {
    if (error instanceof PuppetError) return [error.diagnostic]
    throw error
  }
}

async function findFileProblems(
  source: GitObjectSource,
  commit: string,
  settings: Settings,
  since: readonly string[],
): Promise<readonly Diagnostic[]> {
  const limits = getLoadLimits(settings)
  await source.commitTime(commit)
  const all = await source.listTree(commit, { limits: limits.tree })
  const found: Diagnostic[] = []
  for (const problem of findCommitProblems(all, limits)) {
    if (problem) found.push(problem)
    if (found.length >= maxTold) break
  }
  if (found.length > 0) return found
  const read = ({ oid, size }: GitTreeEntry) => source.readBlob(oid, { size, maxBytes: limits.codeFile })
  const old: ReadonlySet<unknown>[] = []
  for (const each of since) old.push(await listFileKeys(source, each))
  const isInEarlierCommit = (entry: GitTreeEntry) => old.some((keys) => keys.has(formatFileKey(entry)))
  const problems = findCommitFileProblems(
    { entries: all, read },
    { settings, ruby: createRubySyntaxCheck(), isGood: isInEarlierCommit },
  )
  for await (const problem of problems) found.push(problem)
  return found
}

/** Keys of the files of an earlier commit; empty if the commit cannot be listed. */
async function listFileKeys(source: GitObjectSource, commit: string): Promise<ReadonlySet<unknown>> {
  try {
    return new Set((await source.listTree(commit)).map(formatFileKey))
  } catch (error) {
    if (error instanceof PuppetError) return new Set()
    throw error
  }
}

/** Parses the input of a pre-receive hook: `<old> <new> <ref>` lines. */
export function readPushedRefs(text: string): readonly PushedRef[] {
  return text
    .split('\n')
    .map((line) => /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) (\S+)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, before, after, ref]) => ({ before: before!, after: after!, ref: ref! }))
}

/** The environments after the push, with their branches. */
async function listEnvironmentsAfterPush(
  source: GitObjectSource,
  pushed: readonly PushedRef[],
  naming: BranchNaming,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const gone = new Set(pushed.filter(({ after }) => isNullOid(after)).map(({ ref }) => ref))
  const { commits, broken } = await source.listRefs(branches)
  const refs = new Set([...commits.keys(), ...broken.keys(), ...pushed.map(({ ref }) => ref)])
  const known = new Map<string, string[]>()
  for (const ref of [...refs].sort()) {
    if (!ref.startsWith(branches) || gone.has(ref)) continue
    const branch = ref.slice(branches.length)
    for (const name of naming(branch)) {
      const others = known.get(name)
      if (others) others.push(branch)
      else known.set(name, [branch])
    }
  }
  return known
}

function findNewBranchProblems(
  ref: string,
  known: ReadonlyMap<string, readonly string[]>,
  { settings: { max_environments: most }, naming }: { readonly settings: Settings; readonly naming: BranchNaming },
): readonly Diagnostic[] {
  const branch = ref.slice(branches.length)
  return naming(branch).flatMap((environment) => {
    const others = (known.get(environment) ?? []).filter((other) => other !== branch)
    if (known.size > most && others.length === 0)
      return [createDiagnostic(environmentIssues.TOO_MANY_ENVIRONMENTS, { most })]
    if (others.length > 0)
      return others.map((other) => createDiagnostic(issues.ENVIRONMENT_COLLISION, { branch, other, environment }))
    return environment === branch ? [] : [createDiagnostic(issues.RENAMED, { branch, environment }, undefined, 'note')]
  })
}

function listDeletedBranchWarnings(
  ref: string,
  known: ReadonlyMap<string, readonly string[]>,
  naming: BranchNaming,
): readonly Diagnostic[] {
  const branch = ref.slice(branches.length)
  return naming(branch).map((environment) => {
    const [heir] = known.get(environment) ?? []
    return heir === undefined
      ? createDiagnostic(issues.GOES, { branch, environment }, undefined, 'warning')
      : createDiagnostic(issues.CHANGES_HANDS, { branch, environment, heir }, undefined, 'warning')
  })
}

/** True for Git's null object ID, which stands for a ref that does not exist before or after a push. */
export function isNullOid(commit: string): boolean {
  return /^0+$/.test(commit)
}

/** Git's null object ID, in the length of a commit ID. */
export function createNullOid(commit: string): string {
  return '0'.repeat(commit.length)
}
