import { type Diagnostic, defineIssues, diagnose, PuppetError } from '../base/issue.ts'
import { branches } from '../environments/choose-branches.ts'
import { codeFileTooLarge, commitProblems } from '../environments/commit-rules.ts'
import { environmentOfBranch } from '../environments/environment-name.ts'
import { environmentIssues } from '../environments/issues.ts'
import { limitsFrom } from '../environments/load-limits.ts'
import type { GitObjectSource, GitTreeEntry } from '../git/git-object-source.ts'
import type { Settings } from '../settings/settings.ts'
import { checkFile } from './check-file.ts'
import { type CodePaths, codePaths, isHieraYaml } from './code-paths.ts'
import { rubySyntax } from './ruby-syntax.ts'

/** One line of what git tells a pre-receive hook. */
export interface PushedRef {
  readonly ref: string
  /** All zeros for a ref that is new. */
  readonly before: string
  /** All zeros for a ref that goes. */
  readonly after: string
}

/** What is wrong with one ref of a push. */
export interface Finding {
  readonly ref: string
  readonly commit: string
  readonly diagnostic: Diagnostic
}

const issues = defineIssues({
  ENVIRONMENT_COLLISION: {
    text: (a: { branch: string; other: string; environment: string }) =>
      `The branch ${a.branch} would be the environment ${a.environment}, which is the branch ${a.other} already`,
    hint: () => 'Branches that differ only in characters that are not a-z, A-Z, 0-9 or _ are one environment.',
  },
  SUBMODULE: { text: (a: { path: string }) => `The submodule ${a.path} is not served` },
})

/** The problems of one commit that are told. */
const mostTold = 100

/** What the branches of a push would break: every file that they add or change, and a compilation reads, is parsed. */
export async function checkPush(
  source: GitObjectSource,
  pushed: readonly PushedRef[],
  settings: Settings,
): Promise<readonly Finding[]> {
  const moved = pushed.filter(({ ref, after }) => ref.startsWith(branches) && !isNone(after))
  const findings: Finding[] = []
  const known = await environmentsAfter(source, pushed)
  const checked = new Map<string, readonly Diagnostic[]>()
  for (const { ref, before, after } of moved) {
    const at = (diagnostic: Diagnostic): Finding => ({ ref, commit: after, diagnostic })
    if (isNone(before)) findings.push(...newBranchProblems(ref, known, settings).map(at))
    const problems =
      checked.get(`${before} ${after}`) ??
      (await checkCommit(source, after, settings, isNone(before) ? undefined : before))
    checked.set(`${before} ${after}`, problems)
    findings.push(...problems.map(at))
  }
  return findings
}

/** What is wrong with a commit as a whole, and with its files; with those that another one has not, if that is given. */
export async function checkCommit(
  source: GitObjectSource,
  commit: string,
  settings: Settings,
  since?: string,
): Promise<readonly Diagnostic[]> {
  try {
    return await problemsOf(source, commit, settings, since)
  } catch (error) {
    if (error instanceof PuppetError) return [error.diagnostic]
    throw error
  }
}

async function problemsOf(
  source: GitObjectSource,
  commit: string,
  settings: Settings,
  since: string | undefined,
): Promise<readonly Diagnostic[]> {
  const limits = limitsFrom(settings)
  await source.commitTime(commit)
  const all = await source.listTree(commit, { limits: limits.tree })
  const found: Diagnostic[] = []
  for (const problem of commitProblems(all, limits)) {
    if (problem) found.push(problem)
    if (found.length >= mostTold) break
  }
  if (found.length > 0) return found
  const old = since === undefined ? new Set() : await keysOf(source, since)
  const entries = all.filter((entry) => !old.has(keyOf(entry)))
  const { moduleFile, roleOf } = await pathsOf(source, all, settings)
  const context = { settings, moduleFile, ruby: rubySyntax() }
  for (const entry of entries) {
    const { path, oid, size } = entry
    if (entry.mode === '160000') found.push(diagnose(issues.SUBMODULE, { path }, undefined, 'warning'))
    const role = isFile(entry) ? roleOf(path) : undefined
    if (role === undefined) continue
    if (size !== undefined && size > limits.codeFile) {
      found.push(codeFileTooLarge(path, size, limits))
      continue
    }
    const text = (await source.readBlob(oid, { size, maxBytes: limits.codeFile })).toString('utf8')
    found.push(...checkFile({ file: path, text }, role, context))
  }
  return found
}

/** What the commit from before has; nothing, where it is one that would be refused today. */
async function keysOf(source: GitObjectSource, commit: string): Promise<ReadonlySet<unknown>> {
  try {
    return new Set((await source.listTree(commit)).map(keyOf))
  } catch (error) {
    if (error instanceof PuppetError) return new Set()
    throw error
  }
}

/** Reads what git tells a pre-receive hook: `<old> <new> <ref>` lines. */
export function readPushedRefs(text: string): readonly PushedRef[] {
  return text
    .split('\n')
    .map((line) => /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) (\S+)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, before, after, ref]) => ({ before: before!, after: after!, ref: ref! }))
}

/** What a compilation reads of a commit. */
async function pathsOf(
  source: GitObjectSource,
  entries: readonly GitTreeEntry[],
  settings: Settings,
): Promise<CodePaths> {
  const maxBytes = settings.max_code_file_bytes
  const read = async ({ oid, size }: GitTreeEntry) => (await source.readBlob(oid, { size, maxBytes })).toString('utf8')
  const confEntry = entries.find(({ path }) => path === 'environment.conf')
  const conf = confEntry && (await read(confEntry))
  const modules = codePaths(conf, new Map(), settings)
  const hieras = new Map<string, string>()
  for (const entry of entries)
    if (isFile(entry) && isHieraYaml(entry.path, modules))
      hieras.set(entry.path.replace(/\/?hiera\.yaml$/, ''), await read(entry))
  return codePaths(conf, hieras, settings)
}

function isFile({ mode }: GitTreeEntry): boolean {
  return mode !== '160000' && mode !== '120000'
}

/** The environments that there will be after the push, and their branches. */
async function environmentsAfter(
  source: GitObjectSource,
  pushed: readonly PushedRef[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const gone = new Set(pushed.filter(({ after }) => isNone(after)).map(({ ref }) => ref))
  const { commits, broken } = await source.listRefs(branches)
  const refs = new Set([...commits.keys(), ...broken.keys(), ...pushed.map(({ ref }) => ref)])
  const known = new Map<string, string[]>()
  for (const ref of [...refs].sort()) {
    if (!ref.startsWith(branches) || gone.has(ref)) continue
    const branch = ref.slice(branches.length)
    const name = environmentOfBranch(branch)
    const others = known.get(name)
    if (others) others.push(branch)
    else known.set(name, [branch])
  }
  return known
}

function newBranchProblems(
  ref: string,
  known: ReadonlyMap<string, readonly string[]>,
  { max_environments: most }: Settings,
): readonly Diagnostic[] {
  const branch = ref.slice(branches.length)
  const environment = environmentOfBranch(branch)
  const others = (known.get(environment) ?? []).filter((other) => other !== branch)
  if (known.size > most && others.length === 0) return [diagnose(environmentIssues.TOO_MANY_ENVIRONMENTS, { most })]
  return others.map((other) => diagnose(issues.ENVIRONMENT_COLLISION, { branch, other, environment }))
}

function keyOf({ path, oid }: GitTreeEntry): string {
  return `${oid} ${path}`
}

function isNone(commit: string): boolean {
  return /^0+$/.test(commit)
}
