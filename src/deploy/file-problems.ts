import { type Diagnostic, defineIssues, diagnose } from '../base/issue.ts'
import { codeFileTooLarge } from '../code/environments/git/commit-rules.ts'
import { limitsFrom } from '../code/environments/git/load-limits.ts'
import { environmentIssues } from '../code/environments/issues.ts'
import type { GitTreeEntry } from '../code/git/git-object-source.ts'
import type { Settings } from '../machine/settings/settings.ts'
import { checkFile } from './check-file.ts'
import { type CodePaths, codePaths, isHieraYaml, type Role } from './code-paths.ts'
import type { RubySyntax } from './ruby-syntax.ts'

const issues = defineIssues({
  SUBMODULE: { text: (a: { path: string }) => `The submodule ${a.path} is not served` },
})

/** The files of a commit, from wherever they are read. */
export interface CommitFiles<Entry extends GitTreeEntry = GitTreeEntry> {
  readonly entries: readonly Entry[]
  read(entry: Entry): Promise<Buffer> | Buffer
}

/** The checks of files, and the knowledge of good ones. */
export interface FileChecks {
  readonly settings: Settings
  readonly ruby: RubySyntax
  /** True of a file that need not be looked at: it is served already, or nothing was wrong with it before. */
  isGood(entry: GitTreeEntry, role?: Role): boolean
  /** Told of a file with which nothing is wrong. */
  noteGood?(entry: GitTreeEntry, role: Role): void
}

/** Diagnostics of the files of a commit that a compilation reads, and of those that it brings but does not serve. */
export async function* fileProblems<Entry extends GitTreeEntry>(
  { entries, read }: CommitFiles<Entry>,
  { settings, ruby, isGood, noteGood }: FileChecks,
): AsyncGenerator<Diagnostic, void> {
  const limits = limitsFrom(settings)
  const textOf = async (entry: Entry) => (await read(entry)).toString('utf8')
  const { moduleFile, roleOf } = await pathsOf(entries, textOf, settings)
  for (const entry of entries) {
    const { path, mode, size } = entry
    // Said at each push again: the modules that a Puppetfile names are not there.
    if (path === 'Puppetfile' && isFile(entry) && settings.puppetfile === 'ignore')
      yield diagnose(environmentIssues.PUPPETFILE_IGNORED, {}, undefined, 'warning')
    const role = isFile(entry) ? roleOf(path) : undefined
    if (isGood(entry, role)) continue
    if (mode === '160000') yield diagnose(issues.SUBMODULE, { path }, undefined, 'warning')
    if (role === undefined) continue
    if (size !== undefined && size > limits.codeFile) {
      yield codeFileTooLarge(path, size, limits)
      continue
    }
    const problems = checkFile({ file: path, text: await textOf(entry) }, role, { settings, moduleFile, ruby })
    yield* problems
    if (problems.length === 0) noteGood?.(entry, role)
  }
}

/** The key of a file's verdict: bytes and path, for equal bytes at an equal path are as good as before. */
export function keyOf({ path, oid }: GitTreeEntry): string {
  return `${oid} ${path}`
}

/** Paths that a compilation reads of a commit. */
async function pathsOf<Entry extends GitTreeEntry>(
  entries: readonly Entry[],
  textOf: (entry: Entry) => Promise<string>,
  settings: Settings,
): Promise<CodePaths> {
  const confEntry = entries.find(({ path }) => path === 'environment.conf')
  const conf = confEntry && (await textOf(confEntry))
  const modules = codePaths(conf, new Map(), settings)
  const hieras = new Map<string, string>()
  for (const entry of entries)
    if (isFile(entry) && isHieraYaml(entry.path, modules))
      hieras.set(entry.path.replace(/\/?hiera\.yaml$/, ''), await textOf(entry))
  return codePaths(conf, hieras, settings)
}

function isFile({ mode }: GitTreeEntry): boolean {
  return mode !== '160000' && mode !== '120000'
}
