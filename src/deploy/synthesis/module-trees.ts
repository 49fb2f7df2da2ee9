import { throwIssue } from '../../base/issue.ts'
import type { SourceSpan } from '../../base/source.ts'
import { isPlainPath } from '../../code/git/blob-path.ts'
import type { GitPlace } from '../../code/git/git-command.ts'
import { type FolderEntry, readFolder, writeFolder } from '../../code/git/object-writer.ts'
import type { DeclaredModule } from '../puppetfile/module-declaration.ts'
import { synthesisIssues } from './issues.ts'

/** A module's tree and the folder it replaces. */
export interface ModulePlacement extends Pick<DeclaredModule, 'title' | 'path'> {
  readonly tree: string
  /** The line of the Puppetfile, for errors. */
  readonly span: SourceSpan | undefined
}

/** A module to insert below a folder, with the folder names of its path that remain. */
interface Descent extends ModulePlacement {
  readonly names: readonly string[]
}

const folderMode = '040000'

/**
 * Returns the tree of a commit after inserting modules at their paths and a file in the root
 * folder. As in r10k, a module replaces the folder at its path, but no folder next to it. Throws
 * MODULE_IN_THE_WAY, MODULES_AT_ONE_PLACE, MODULE_NO_PLACE.
 */
export async function insertModuleTrees(
  place: GitPlace,
  {
    commit,
    grafts,
    file,
  }: { readonly commit: string; readonly grafts: readonly ModulePlacement[]; readonly file: FolderEntry },
): Promise<string> {
  const descents = grafts.map((graft) => ({ ...graft, names: splitFolderNames(graft) }))
  const entries = await insertIntoFolder(place, await readFolder(place, commit), descents)
  return writeFolder(place, [...entries.filter(({ name }) => name !== file.name), file])
}

/** Returns the folder names of a path, decoded as Latin-1 like the names in git's trees. */
function splitFolderNames({ title, path, span }: ModulePlacement): readonly string[] {
  if (!isPlainPath(path) || /(?:^|\/)\.git(?:\/|$)/i.test(path))
    throwIssue(synthesisIssues.MODULE_NO_PLACE, { module: title, path }, span)
  return Buffer.from(path).toString('latin1').split('/')
}

async function insertIntoFolder(
  place: GitPlace,
  entries: readonly FolderEntry[],
  descents: readonly Descent[],
): Promise<readonly FolderEntry[]> {
  const result = new Map(entries.map((entry) => [entry.name, entry]))
  for (const [name, those] of groupByFolderName(descents)) {
    const before = result.get(name)
    if (before && before.type !== 'tree') failBlockedPath(those[0]!, before)
    const oid = await buildSubtree(place, before, those)
    result.set(name, { mode: folderMode, type: 'tree', oid, name })
  }
  return [...result.values()]
}

async function buildSubtree(
  place: GitPlace,
  before: FolderEntry | undefined,
  descents: readonly Descent[],
): Promise<string> {
  const whole = descents.find(({ names }) => names.length === 1)
  const [other] = descents.filter((each) => each !== whole)
  if (whole && other) {
    const { title: module, path, span } = other
    throwIssue(synthesisIssues.MODULES_AT_ONE_PLACE, { module, path, other: whole.title }, span)
  }
  if (whole) return whole.tree
  const deeper = descents.map((each) => ({ ...each, names: each.names.slice(1) }))
  return writeFolder(place, await insertIntoFolder(place, before ? await readFolder(place, before.oid) : [], deeper))
}

function groupByFolderName(descents: readonly Descent[]): ReadonlyMap<string, readonly Descent[]> {
  const groups = new Map<string, Descent[]>()
  for (const descent of descents) {
    const [name = ''] = descent.names
    const group = groups.get(name)
    if (group) group.push(descent)
    else groups.set(name, [descent])
  }
  return groups
}

function failBlockedPath({ title, path, names, span }: Descent, { mode, type }: FolderEntry): never {
  const kind = type === 'commit' ? 'submodule' : mode === '120000' ? 'symbolic link' : 'file'
  const there = path
    .split('/')
    .slice(0, path.split('/').length - names.length + 1)
    .join('/')
  return throwIssue(synthesisIssues.MODULE_IN_THE_WAY, { module: title, path, there, kind }, span)
}
