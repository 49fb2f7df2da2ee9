import { defineIssues, throwIssue } from '../../base/issue.ts'
import { formatInvalidUtf8Name } from '../../base/text/byte-text.ts'
import { compileNameGlob, createGlobMeter } from '../../base/text/glob.ts'
import { trimTrailing } from '../../base/text/trailing-characters.ts'
import { runCooperatively, runToEnd } from '../../base/threads/cooperative-tasks.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'
import { type CodeTree, type DigestAlgorithm, digestAlgorithms } from './code-tree.ts'
import type { CompileEnvironment } from './compile-environment.ts'
import { findModule, joinPath, listModules } from './modules.ts'
import { isParentFolder, type ParentFolder, SearchBudget } from './tree-walk.ts'

/** A `file_metadata` request with decoded mount and path, such as `modules` and `demo/a.txt`. */
export interface MountQuery {
  readonly mount: string
  readonly path: string
  readonly links: 'manage' | 'follow'
  /** Type such as `sha256`, `md5lite`, `mtime` or `none`; not validated yet. */
  readonly checksumType: string
  readonly sourcePermissions: 'ignore' | 'use'
}

/** A request to `file_metadatas`. */
export interface FileSearch extends MountQuery {
  readonly recurse: boolean
  /** Largest depth of folders; `undefined` means no limit. */
  readonly recurselimit: number | undefined
  /** Largest number of files; exceeding it is an error. 0 only warns above 1000 files, -1 means no limit. */
  readonly maxFiles: number
  /** Globs of names to skip. */
  readonly ignore: readonly string[]
  warn?(message: string): void
}

/** A file found for a request. */
export interface FoundFile {
  readonly tree: CodeTree
  /** Path from the tree's root. */
  readonly path: string
  /** Path of the requested file or, in a search, of the searched directory, from the tree's root. */
  readonly base: string
  /** Path relative to the base, `.` for the base itself; `undefined` for a single file. */
  readonly relativePath: string | undefined
}

type Code = Pick<CompileEnvironment, 'modulepath' | 'tree'>

const issues = defineIssues({
  UNKNOWN_MOUNT: {
    // Puppet: indirector/indirection.rb, authorized?
    text: (a: { method: string; indirection: string; key: string }) =>
      `Not authorized to call ${a.method} on /${a.indirection}/${a.key} with {:rest=>"${a.key}"}`,
    hint: () => `Available mounts: ${[...Object.keys(ofOneModule), ...Object.keys(ofAllModules)].join(', ')}.`,
  },
  // Puppet: file_serving/configuration.rb.
  INVALID_MOUNT: { text: (a: { mount: string }) => `Cannot find file: Invalid mount '${a.mount}'` },
  NO_MODULE_SPECIFIED: { text: (_: object) => 'No module specified' },
  UNSUPPORTED_CHECKSUM: { text: (a: { type: string }) => `Unsupported checksum type ${a.type}` },
  NAME_NOT_UTF8: {
    text: (a: { path: string }) => formatInvalidUtf8Name(a.path),
    hint: () => 'Rename the file: JSON cannot contain its name.',
  },
  TOO_MANY_FILES: {
    // Puppet: file_serving/fileset.rb
    text: (a: { directory: string; entries: number; limit: number }) =>
      `The directory '${a.directory}' contains ${a.entries} entries, which exceeds the limit of ${a.limit} specified by the max_files parameter for this resource. The limit may be increased, but be aware that large number of file resources can result in excessive resource consumption and degraded performance. Consider using an alternate method to manage large directory trees`,
  },
})

/** A search that finds more files than this logs a warning. Puppet: file_serving/fileset.rb. */
const softLimit = 1000

/** Mounts whose paths begin with a module name, each with the folder of the module that it serves. */
const ofOneModule: Readonly<Record<string, string>> = { modules: 'files', scripts: 'scripts', tasks: 'tasks' }
/** Mounts that merge the same folder of all modules, each with the name of that folder. */
const ofAllModules: Readonly<Record<string, string>> = { plugins: 'lib', pluginfacts: 'facts.d', locales: 'locales' }

/** Returns true for a built-in mount. */
export function isBuiltInMount(mount: string): boolean {
  return Object.hasOwn(ofOneModule, mount) || Object.hasOwn(ofAllModules, mount)
}

/** Splits a key such as `modules/demo/a.txt` into mount and path. Throws INVALID_MOUNT. */
export function splitMountAndPath(key: string): Pick<MountQuery, 'mount' | 'path'> {
  const slash = key.indexOf('/')
  const mount = slash === -1 ? key : key.slice(0, slash)
  if (!/^[-\w]+$/.test(mount)) throwIssue(issues.INVALID_MOUNT, { mount })
  return { mount, path: slash === -1 ? '' : key.slice(slash + 1) }
}

/** Returns the metadata of one file or folder, for `file_metadata` and static catalogs. */
export function findMetadata(code: Code, query: MountQuery): FileMetadata | undefined {
  const found = findMountFile(code, query)
  return found && describeMountFile(found, query)
}

/** Returns the metadata of a folder and everything below it, breadth first, for `file_metadatas`. */
export function searchMetadata(code: Code, query: FileSearch): readonly FileMetadata[] | undefined {
  return searchFiles(code, query)?.map((found) => describeMountFile(found, query))
}

/** Returns the file or folder at a path of a mount. Throws UNKNOWN_MOUNT. */
export function findMountFile(
  code: Code,
  { mount, path }: Pick<MountQuery, 'mount' | 'path'>,
  indirection = 'file_metadata',
): FoundFile | undefined {
  if (Object.hasOwn(ofOneModule, mount)) return findInModule(code, ofOneModule[mount]!, path)
  if (!Object.hasOwn(ofAllModules, mount))
    throwIssue(issues.UNKNOWN_MOUNT, { method: 'find', indirection, key: formatFileKey(mount, path) })
  for (const { directory } of listModules(code)) {
    const found = findTreeFile(
      directory.tree,
      joinPath(joinPath(directory.path, ofAllModules[mount]!), trimSlashes(path)),
    )
    if (found) return found
  }
  return undefined
}

/**
 * Returns the files that a search finds; of files with the same relative path, the first wins.
 * Throws UNKNOWN_MOUNT, TOO_MANY_FILES, SEARCH_TOO_LARGE, and errors about globs that are too
 * costly.
 */
export function searchFiles(code: Code, search: FileSearch): readonly FoundFile[] | undefined {
  return runToEnd(searchMount(code, search))
}

/** Same as `searchFiles`, but yields to other work. */
export async function searchFilesInTurns(code: Code, search: FileSearch): Promise<readonly FoundFile[] | undefined> {
  return runCooperatively(searchMount(code, search))
}

function* searchMount(code: Code, search: FileSearch): Generator<void, readonly FoundFile[] | undefined> {
  const { mount, path } = search
  const ignored = createIgnoreTest(search.ignore)
  if (Object.hasOwn(ofOneModule, mount)) {
    const base = findInModule(code, ofOneModule[mount]!, path)
    return base && (yield* listFilesBelow(base, search, { budget: createSearchBudget(base), ignored }))
  }
  if (!Object.hasOwn(ofAllModules, mount))
    throwIssue(issues.UNKNOWN_MOUNT, {
      method: 'search',
      indirection: 'file_metadata',
      key: formatFileKey(mount, path),
    })
  // The path is ignored, as in Puppet: file_serving/mount/plugins.rb.
  const folders = listModules(code).flatMap(({ directory }) => {
    const folder = findTreeFile(directory.tree, joinPath(directory.path, ofAllModules[mount]!))
    return folder && folder.tree.entry(folder.path)?.kind === 'directory' ? [folder] : []
  })
  if (folders.length > 0) {
    const bounds = { budget: new SearchBudget(mount), ignored }
    const searches: FoundFile[][] = []
    for (const folder of folders) searches.push(yield* listFilesBelow(folder, search, bounds))
    return mergeSearches(searches)
  }
  const [bare] = code.modulepath
  const base = (bare && findTreeFile(bare.tree, bare.path)) ?? {
    tree: code.tree,
    path: '',
    base: '',
    relativePath: undefined,
  }
  return yield* listFilesBelow(base, { ...search, recurse: false }, { budget: createSearchBudget(base), ignored })
}

/**
 * Returns a found file and everything below it, breadth first, yielding to other work. Throws like
 * `searchFiles`.
 */
export async function searchFolderInTurns(base: FoundFile, search: FileSearch): Promise<readonly FoundFile[]> {
  return runCooperatively(
    listFilesBelow(base, search, { budget: createSearchBudget(base), ignored: createIgnoreTest(search.ignore) }),
  )
}

/** Returns the metadata of a found file. Throws UNSUPPORTED_CHECKSUM. */
export function describeMountFile(found: FoundFile, query: MountQuery): FileMetadata {
  const { tree, path, base, relativePath } = found
  const destination = query.links === 'manage' ? tree.linkDestination(path) : undefined
  const entry = tree.entry(path)
  return {
    path: toAbsolutePath(tree, base),
    relativePath,
    links: query.links,
    // The owner and group are the same constants on every server; agents that ignore permissions do
    // not use them.
    owner: 0,
    group: 0,
    mode: query.sourcePermissions === 'ignore' || (entry?.kind === 'file' && !entry.executable) ? 0o644 : 0o755,
    checksum: computeChecksum(found, query.checksumType, destination !== undefined),
    type: destination === undefined ? (entry?.kind ?? 'file') : 'link',
    destination,
    contentUri: undefined,
    source: undefined,
  }
}

/**
 * Returns the digest algorithm of a checksum type; `undefined` for types without a digest. Throws
 * UNSUPPORTED_CHECKSUM.
 */
export function getDigestAlgorithm(checksumType: string): DigestAlgorithm | undefined {
  if (['mtime', 'ctime', 'none'].includes(checksumType)) return undefined
  return (
    digestAlgorithms.find((each) => each === checksumType) ??
    throwIssue(issues.UNSUPPORTED_CHECKSUM, { type: checksumType })
  )
}

function computeChecksum({ tree, path }: FoundFile, asked: string, isLink: boolean): FileMetadata['checksum'] {
  const algorithm = getDigestAlgorithm(asked)
  const kind = tree.entry(path)?.kind
  // The checksum of a directory is always based on its time. Puppet: file_serving/metadata.rb.
  const type = kind === 'directory' && !isLink ? 'ctime' : asked
  const ofTime = type === 'mtime' || type === 'ctime' ? formatTimeAsRuby(tree.time) : ''
  const value = algorithm === undefined || type === 'ctime' ? ofTime : tree.digest(path, algorithm)
  return value === undefined ? { type: 'none', value: '{none}' } : { type, value: `{${type}}${value}` }
}

function findInModule(code: Code, folder: string, path: string): FoundFile | undefined {
  const [name = '', ...rest] = trimSlashes(path).split('/')
  if (name === '') throwIssue(issues.NO_MODULE_SPECIFIED, {})
  const module = findModule(code, name)
  return (
    module && findTreeFile(module.directory.tree, joinPath(joinPath(module.directory.path, folder), rest.join('/')))
  )
}

/** Returns the file or folder at a path of a tree; `undefined` for paths with `.` or `..`. */
export function findTreeFile(tree: CodeTree, path: string): FoundFile | undefined {
  if (path.split('/').some((part) => part === '..' || part === '.')) return undefined
  return tree.entry(path) ? { tree, path, base: path, relativePath: undefined } : undefined
}

interface Pending {
  readonly path: string
  readonly relative: string
  readonly depth: number
  /** Directories above this one on the path, to detect loops of links. */
  readonly above: ParentFolder | undefined
}

function createSearchBudget({ tree, path }: Pick<FoundFile, 'tree' | 'path'>): SearchBudget {
  return new SearchBudget(toAbsolutePath(tree, path))
}

/**
 * Returns a function that tests whether a name matches the globs, and limits the total cost of all
 * tests. Throws GLOB_TOO_LONG.
 */
function createIgnoreTest(globs: readonly string[]): (name: string) => boolean {
  const ignored = globs.map(compileNameGlob)
  const meter = createGlobMeter('matching file names with the ignore patterns')
  return (name) => ignored.some((glob) => glob.matches(name, meter))
}

/** Limits of one search, and the names to skip. */
interface SearchBounds {
  readonly budget: SearchBudget
  ignored(name: string): boolean
}

function* listFilesBelow(
  { tree, path: base }: FoundFile,
  search: FileSearch,
  { budget, ignored }: SearchBounds,
): Generator<void, FoundFile[]> {
  const found: FoundFile[] = [{ tree, path: base, base, relativePath: '.' }]
  const pending: Pending[] = [{ path: base, relative: '', depth: 0, above: undefined }]
  for (let at = 0; at < pending.length; at++) {
    const next = pending[at]!
    const depth = next.depth + 1
    if (!search.recurse || depth > (search.recurselimit ?? Number.POSITIVE_INFINITY)) break
    const isLink = search.links === 'manage' && tree.linkDestination(next.path) !== undefined
    const directory = isLink ? undefined : tree.entry(next.path)
    if (directory?.kind !== 'directory' || isParentFolder(next.above, directory.oid)) continue
    const above = { oid: directory.oid, above: next.above }
    for (const name of tree.list(next.path)) {
      budget.take()
      yield
      const path = joinPath(next.path, name)
      if (!name.isWellFormed() && !ignored(name)) throwIssue(issues.NAME_NOT_UTF8, { path: toAbsolutePath(tree, path) })
      const leads = tree.entry(path) || (search.links === 'manage' && tree.linkDestination(path) !== undefined)
      if (!leads || ignored(name)) continue
      const relative = joinPath(next.relative, name)
      found.push({ tree, path, base, relativePath: relative })
      pending.push({ path, relative, depth, above })
    }
  }
  checkLimit(toAbsolutePath(tree, base), found.length - 1, search)
  return found
}

function checkLimit(directory: string, entries: number, { maxFiles, warn }: FileSearch): void {
  if (maxFiles > 0 && entries > maxFiles) throwIssue(issues.TOO_MANY_FILES, { directory, entries, limit: maxFiles })
  if (maxFiles === 0 && entries > softLimit)
    warn?.(
      `The directory '${directory}' contains ${entries} entries, which exceeds the default soft limit ${softLimit} and may cause excessive resource consumption and degraded performance. To remove this warning set a value for \`max_files\` parameter or consider using an alternate method to manage large directory trees`,
    )
}

function mergeSearches(searches: readonly (readonly FoundFile[])[]): readonly FoundFile[] {
  const files = new Map<string, FoundFile>()
  for (const search of searches)
    for (const file of search) if (!files.has(file.relativePath!)) files.set(file.relativePath!, file)
  return [...files.values()]
}

function toAbsolutePath(tree: CodeTree, path: string): string {
  return path === '' ? tree.root : `${tree.root}/${path}`
}

function trimSlashes(path: string): string {
  return trimTrailing(path, '/')
}

function formatFileKey(mount: string, path: string): string {
  return path === '' ? mount : `${mount}/${path}`
}

/** Formats a time as Ruby prints it: `2026-11-21 10:53:56 +0000`. */
export function formatTimeAsRuby(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} +0000`
}
