import { defineIssues, isCatalogIssue, isIssue, throwIssue } from '../../base/issue.ts'
import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { CodeTree } from './code-tree.ts'
import { joinPath, type Module } from './modules.ts'
import { walkFiles } from './tree-walk.ts'

/** A file of a task. */
export interface TaskFile {
  /** Name of the file, such as `hi.sh` or `other/files/help.rb`. */
  readonly name: string
  readonly tree: CodeTree
  /** Path from the tree's root. */
  readonly path: string
  readonly module: string
  /** The module's folder that contains the file: `tasks`, `files`, `lib` or `scripts`. */
  readonly mount: string
}

/** A task of a module. */
export interface Task {
  readonly metadata: Readonly<Record<string, unknown>>
  readonly files: readonly TaskFile[]
}

/** Errors about tasks. Puppet: module/task.rb. */
export const taskIssues = defineIssues({
  TASK_METADATA_UNPARSEABLE: { text: (a: { reason: string }) => a.reason },
  TASK_METADATA_SHAPE: { text: (_: object) => 'Task metadata is not an object' },
  TASK_IMPLEMENTATIONS_SHAPE: {
    text: (a: { task: string }) => `Task metadata for task ${a.task} does not specify implementations as an array`,
  },
  TASK_FILES_SHAPE: { text: (a: { got: string }) => `The 'files' task metadata expects an array, got ${a.got}.` },
  TASK_FILE_MODULE: {
    text: (a: { module: string; file: string }) => `Could not find module ${a.module} containing task file ${a.file}`,
  },
  TASK_FILE_FOLDER: {
    text: (_: object) =>
      'Files must be saved in module directories that Puppet makes available via mount points: files, lib, scripts, tasks',
  },
  TASK_FILE_MISSING: { text: (a: { path: string }) => `Could not find ${a.path} on disk` },
  TASK_IMPLEMENTATION_MISSING: {
    text: (a: { task: string; name: string }) =>
      `Task metadata for task ${a.task} specifies missing implementation ${a.name}`,
  },
  TASK_WITHOUT_FILE: {
    text: (a: { task: string; folder: string }) =>
      `No source besides task metadata was found in directory ${a.folder} for task ${a.task}`,
  },
  TASK_AMBIGUOUS: {
    text: (a: { task: string; path: string }) =>
      `Multiple executables were found in directory ${a.path} for task ${a.task}; define 'implementations' in metadata to differentiate between them`,
  },
})

const kinds = [
  { issue: taskIssues.TASK_METADATA_UNPARSEABLE, kind: 'unparseable-metadata' },
  { issue: taskIssues.TASK_FILE_MISSING, kind: 'invalid-file' },
  { issue: taskIssues.TASK_IMPLEMENTATION_MISSING, kind: 'missing-implementation' },
  { issue: taskIssues.TASK_WITHOUT_FILE, kind: 'no-implementation' },
  { issue: taskIssues.TASK_AMBIGUOUS, kind: 'multiple-implementations' },
]

/**
 * Returns Puppet's name for an error about a task, such as `puppet.tasks/invalid-metadata`;
 * `undefined` for other errors.
 */
export function getTaskErrorKind(error: unknown): string | undefined {
  if (!isCatalogIssue(error, taskIssues)) return undefined
  const kind = kinds.find(({ issue }) => isIssue(error, issue))?.kind ?? 'invalid-metadata'
  return `puppet.tasks/${kind}`
}

const taskName = /^[a-z][a-z0-9_]*$/
/** Extensions of files in `tasks` that do not belong to a task. Puppet: module/task.rb, FORBIDDEN_EXTENSIONS. */
const forbidden = new Set(['.conf', '.md'])
const mounts = ['files', 'lib', 'scripts', 'tasks']

/** Returns the short names of a module's tasks, sorted. */
export function listTaskNames({ directory: { tree, path } }: Module): readonly string[] {
  const names = tree
    .list(joinPath(path, 'tasks'))
    .filter((name) => isTaskFile(tree, joinPath(path, `tasks/${name}`), name))
  return [...new Set(names.map((name) => removeFileExtension(name)))].sort()
}

/** Returns the full name of a task, such as `demo::hi`; for `init`, the module name. */
export function formatTaskName(module: string, name: string): string {
  return name === 'init' ? module : `${module}::${name}`
}

/** Returns a task; `undefined` if it is missing. Throws the errors in `taskIssues`. */
export function findTask(
  module: Module,
  name: string,
  modules: (name: string) => Module | undefined,
): Task | undefined {
  const { tree, path } = module.directory
  const folder = joinPath(path, 'tasks')
  const names = tree
    .list(folder)
    .filter((each) => isTaskFile(tree, joinPath(folder, each), each) && removeFileExtension(each) === name)
  if (names.length === 0) return undefined
  const task = formatTaskName(module.name, name)
  const metadata = readTaskMetadata(tree, joinPath(folder, `${name}.json`))
  const place = { tree, module: module.name, mount: 'tasks' }
  const sources = names.filter((each) => !each.endsWith('.json'))
  const files = listImplementations(metadata, { task, sources, folder: `${tree.root}/${folder}` }, tree.list(folder))
  const own = files.map((each) => ({ ...place, name: each, path: joinPath(folder, each) }))
  const others = listMetadataFiles(metadata).flatMap((each) => findSharedFiles(each, modules))
  return { metadata, files: [...own, ...others] }
}

interface Sources {
  readonly task: string
  readonly sources: readonly string[]
  readonly folder: string
}

function listImplementations(metadata: Task['metadata'], { task, sources, folder }: Sources, all: readonly string[]) {
  const { implementations: given } = metadata
  if (given === undefined || given === null) {
    if (sources.length === 0) throwIssue(taskIssues.TASK_WITHOUT_FILE, { task, folder })
    if (sources.length > 1) throwIssue(taskIssues.TASK_AMBIGUOUS, { task, path: `${folder}/${sources.at(-1)}` })
    return sources
  }
  if (!Array.isArray(given)) return throwIssue(taskIssues.TASK_IMPLEMENTATIONS_SHAPE, { task })
  return given.map((each: unknown) => {
    const name = String((each as { readonly name?: unknown } | null)?.name ?? '')
    return all.includes(name) ? name : throwIssue(taskIssues.TASK_IMPLEMENTATION_MISSING, { task, name })
  })
}

/** Returns the files listed in the task's metadata and in the metadata of its implementations. */
function listMetadataFiles(metadata: Task['metadata']): readonly string[] {
  const given = metadata.implementations
  const holders = [metadata, ...(Array.isArray(given) ? (given as Task['metadata'][]) : [])]
  const names = holders.flatMap((holder) => {
    const files = holder?.files ?? []
    return Array.isArray(files) ? files.map(String) : throwIssue(taskIssues.TASK_FILES_SHAPE, { got: String(files) })
  })
  return [...new Set(names)]
}

/** Returns a file of any module; all files of a folder if the name ends with a slash. */
function findSharedFiles(name: string, modules: (name: string) => Module | undefined): readonly TaskFile[] {
  const [moduleName = '', mount = '', ...rest] = name.split('/')
  const file = rest.join('/')
  if (!mounts.includes(mount) || rest.some((part) => part === '.' || part === '..'))
    throwIssue(taskIssues.TASK_FILE_FOLDER, {})
  const module = modules(moduleName)
  if (!module) return throwIssue(taskIssues.TASK_FILE_MODULE, { module: moduleName, file })
  const { tree, path } = module.directory
  const at = joinPath(path, `${mount}/${file.replace(/\/$/, '')}`)
  const place = { tree, module: moduleName, mount }
  const entry = tree.entry(at)
  if (file.endsWith('/') && entry?.kind === 'directory')
    return [...walkFiles(tree, at)].map((each) => ({
      ...place,
      name: `${moduleName}/${each.path.slice(path.length + 1)}`,
      path: each.path,
    }))
  if (entry?.kind !== 'file') return throwIssue(taskIssues.TASK_FILE_MISSING, { path: `${tree.root}/${at}` })
  return [{ ...place, name, path: at }]
}

function readTaskMetadata(tree: CodeTree, path: string): Task['metadata'] {
  const text = tree.readText(path)
  if (text === undefined) return {}
  let metadata: unknown
  try {
    metadata = JSON.parse(text)
  } catch (error) {
    return throwIssue(taskIssues.TASK_METADATA_UNPARSEABLE, { reason: formatError(error) })
  }
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    return throwIssue(taskIssues.TASK_METADATA_SHAPE, {})
  return metadata as Task['metadata']
}

function isTaskFile(tree: CodeTree, path: string, name: string): boolean {
  const ending = name.slice(removeFileExtension(name).length)
  return taskName.test(removeFileExtension(name)) && !forbidden.has(ending) && tree.entry(path)?.kind === 'file'
}

function removeFileExtension(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot <= 0 ? name : name.slice(0, dot)
}
