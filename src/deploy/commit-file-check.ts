import { createDiagnostic, type Diagnostic, defineIssues } from '../base/issue.ts'
import { diagnoseLargeCodeFile } from '../code/environments/git/commit-rules.ts'
import { getLoadLimits } from '../code/environments/git/load-limits.ts'
import { environmentIssues } from '../code/environments/issues.ts'
import type { GitTreeEntry } from '../code/git/git-object-source.ts'
import type { Settings } from '../machine/settings/settings.ts'
import { type CodePaths, createPathClassifier, isHieraYaml, type Role } from './code-file-roles.ts'
import { checkFile } from './file-check.ts'
import type { RubySyntax } from './ruby-syntax.ts'

const issues = defineIssues({
  SUBMODULE: { text: (a: { path: string }) => `The submodule ${a.path} is not served` },
})

/** The list of a commit's files, and a function that reads a file. */
export interface CommitFileList<Entry extends GitTreeEntry = GitTreeEntry> {
  readonly entries: readonly Entry[]
  read(entry: Entry): Promise<Buffer> | Buffer
}

/** Input of the file checks, and a cache of files without errors. */
export interface FileChecks {
  readonly settings: Settings
  readonly ruby: RubySyntax
  /** True for a file that is not checked, because it is already served or an earlier check found no errors. */
  isGood(entry: GitTreeEntry, role?: Role): boolean
  /** Called for each file without errors. */
  noteGood?(entry: GitTreeEntry, role: Role): void
}

/** Diagnostics of the files that a compilation can read, and warnings about files that are not served. */
export async function* findCommitFileProblems<Entry extends GitTreeEntry>(
  { entries, read }: CommitFileList<Entry>,
  { settings, ruby, isGood, noteGood }: FileChecks,
): AsyncGenerator<Diagnostic, void> {
  const limits = getLoadLimits(settings)
  const readText = async (entry: Entry) => (await read(entry)).toString('utf8')
  const { moduleFile, getRole: roleOf } = await readCodePaths(entries, readText, settings)
  for (const entry of entries) {
    const { path, mode, size } = entry
    // This warning is repeated for each push, because the modules of the Puppetfile are not deployed.
    if (path === 'Puppetfile' && isRegularFile(entry) && settings.puppetfile === 'ignore')
      yield createDiagnostic(environmentIssues.PUPPETFILE_IGNORED, {}, undefined, 'warning')
    // Most files are served already; their roles are not needed.
    if (isGood(entry)) continue
    const role = isRegularFile(entry) ? roleOf(path) : undefined
    if (isGood(entry, role)) continue
    if (mode === '160000') yield createDiagnostic(issues.SUBMODULE, { path }, undefined, 'warning')
    if (role === undefined) continue
    if (size !== undefined && size > limits.codeFile) {
      yield diagnoseLargeCodeFile(path, size, limits)
      continue
    }
    const problems = checkFile({ file: path, text: await readText(entry) }, role, { settings, moduleFile, ruby })
    yield* problems
    if (problems.length === 0) noteGood?.(entry, role)
  }
}

/** The cache key of a file: its content and path, which determine the result of the check. */
export function formatFileKey({ path, oid }: GitTreeEntry): string {
  return `${oid} ${path}`
}

/** Returns the classifier for the paths that a compilation can read in a commit. */
async function readCodePaths<Entry extends GitTreeEntry>(
  entries: readonly Entry[],
  textOf: (entry: Entry) => Promise<string>,
  settings: Settings,
): Promise<CodePaths> {
  const confEntry = entries.find(({ path }) => path === 'environment.conf')
  const conf = confEntry && (await textOf(confEntry))
  const modules = createPathClassifier(conf, new Map(), settings)
  const hieras = new Map<string, string>()
  for (const entry of entries)
    if (isRegularFile(entry) && isHieraYaml(entry.path, modules))
      hieras.set(entry.path.replace(/\/?hiera\.yaml$/, ''), await textOf(entry))
  return createPathClassifier(conf, hieras, settings)
}

function isRegularFile({ mode }: GitTreeEntry): boolean {
  return mode !== '160000' && mode !== '120000'
}
