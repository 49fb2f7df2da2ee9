import { type Diagnostic, defineIssues, diagnose } from '../base/issue.ts'
import { environmentOfBranch } from '../environments/environment-name.ts'
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

const branches = 'refs/heads/'
/** Larger files are data for nodes, not code. */
const largest = 4 * 1024 * 1024

/** What the branches of a push would break: every file that they add or change, and a compilation reads, is parsed. */
export async function checkPush(
  source: GitObjectSource,
  pushed: readonly PushedRef[],
  settings: Settings,
): Promise<readonly Finding[]> {
  const moved = pushed.filter(({ ref, after }) => ref.startsWith(branches) && !isNone(after))
  const findings: Finding[] = []
  const known = await namesAfter(source, pushed)
  for (const { ref, before, after } of moved) {
    const at = (diagnostic: Diagnostic): Finding => ({ ref, commit: after, diagnostic })
    if (isNone(before)) findings.push(...collisions(ref, known).map(at))
    findings.push(...(await checkCommit(source, after, settings, isNone(before) ? undefined : before)).map(at))
  }
  return findings
}

/** What is wrong with the files of a commit; with those that another one has not, if that is given. */
export async function checkCommit(
  source: GitObjectSource,
  commit: string,
  settings: Settings,
  since?: string,
): Promise<readonly Diagnostic[]> {
  const old = new Set(since === undefined ? [] : (await source.listTree(since)).map(keyOf))
  const all = await source.listTree(commit)
  const entries = all.filter((entry) => !old.has(keyOf(entry)))
  const { moduleFile, roleOf } = await pathsOf(source, all, settings)
  const context = { settings, moduleFile, ruby: rubySyntax() }
  const found: Diagnostic[] = []
  for (const entry of entries) {
    if (entry.mode === '160000') found.push(diagnose(issues.SUBMODULE, { path: entry.path }, undefined, 'warning'))
    const role = isFile(entry) && (entry.size ?? 0) <= largest ? roleOf(entry.path) : undefined
    if (role === undefined) continue
    const text = (await source.readBlob(entry.oid, { size: entry.size })).toString('utf8')
    found.push(...checkFile({ file: entry.path, text }, role, context))
  }
  return found
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
  const read = async ({ oid, size }: GitTreeEntry) => (await source.readBlob(oid, { size })).toString('utf8')
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

/** The branches that there will be after the push. */
async function namesAfter(source: GitObjectSource, pushed: readonly PushedRef[]): Promise<readonly string[]> {
  const gone = new Set(pushed.filter(({ after }) => isNone(after)).map(({ ref }) => ref))
  const now = [...(await source.listRefs(branches)).keys(), ...pushed.map(({ ref }) => ref)]
  return [...new Set(now)].filter((ref) => ref.startsWith(branches) && !gone.has(ref)).sort()
}

function collisions(ref: string, known: readonly string[]): readonly Diagnostic[] {
  const branch = ref.slice(branches.length)
  const environment = environmentOfBranch(branch)
  return known
    .map((each) => each.slice(branches.length))
    .filter((other) => other !== branch && environmentOfBranch(other) === environment)
    .map((other) => diagnose(issues.ENVIRONMENT_COLLISION, { branch, other, environment }))
}

function keyOf({ path, oid }: GitTreeEntry): string {
  return `${oid} ${path}`
}

function isNone(commit: string): boolean {
  return /^0+$/.test(commit)
}
