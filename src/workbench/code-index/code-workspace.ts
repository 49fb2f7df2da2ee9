import { basename, join, resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { getLineAndColumn } from '../../base/source.ts'
import { runToEnd } from '../../base/threads/cooperative-tasks.ts'
import { type CodeFile, parseCodeFile } from './code-file.ts'
import { type CodeFileLists, getCodeFileKind, listCodeFiles } from './file-lists.ts'
import { readModuleDescription, toShortModuleName } from './module-description.ts'
import { type AutoloadName, type CodeModule, listDefiningFiles, toAutoloadName } from './module-layout.ts'
import { getPlaceName, type NamePlace } from './name-places.ts'
import { getPlainVariableName, type NameKind, type Occurrence } from './occurrence.ts'
import { diskFiles, type WorkspaceFiles } from './workspace-files.ts'
import { WorkspaceIndex } from './workspace-index.ts'

/** An occurrence with its file. */
export interface LocatedOccurrence extends Occurrence {
  readonly path: string
}

/** Options of a workspace. */
export interface WorkspaceOptions {
  /** Folders of modules besides those of the root. */
  readonly modulepath?: readonly string[]
  /** Parsed manifests that are kept; by default those of a large control repository. */
  readonly parsedFiles?: number
  /** The files; by default those of the disk. */
  readonly files?: WorkspaceFiles
}

/** The code of a module or a control repository, with the texts of open editors. */
export class CodeWorkspace {
  readonly root: string
  readonly files: WorkspaceFiles
  readonly index = new WorkspaceIndex(this)
  readonly #texts = new Map<string, { readonly text: string; readonly version: number }>()
  readonly #parsed: LRUCache<string, { readonly version: string; readonly file: CodeFile }>
  readonly #modulepath: readonly string[]
  #modules: WorkspaceModules | undefined
  #lists: CodeFileLists | undefined
  #names: readonly AutoloadName[] | undefined
  #changes = 0

  constructor(
    root: string,
    { modulepath = [], parsedFiles = budgets.workbench.parsedFiles.bound, files = diskFiles }: WorkspaceOptions = {},
  ) {
    this.root = resolve(root)
    this.files = files
    this.#modulepath = modulepath
    this.#parsed = new LRUCache({ max: parsedFiles })
  }

  /** The modules, by name. */
  get modules(): ReadonlyMap<string, CodeModule> {
    return this.#findModules().byName
  }

  /** The module that contains a file. */
  moduleOf(path: string): CodeModule | undefined {
    const { byFolder } = this.#findModules()
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const found = byFolder.get(path.slice(0, at))
      if (found) return found
    }
    return undefined
  }

  /** The name of a template in `template` and `epp`, `MODULE/PATH`; undefined for a file outside of `templates`. */
  getTemplateName(path: string): string | undefined {
    const module = this.moduleOf(path)
    const folder = module && join(module.folder, 'templates/')
    return folder !== undefined && path.startsWith(folder) ? `${module!.name}/${path.slice(folder.length)}` : undefined
  }

  #findModules(): WorkspaceModules {
    this.#modules ??= createModules(this.root, this.#modulepath, this.files)
    return this.#modules
  }

  /** Paths of the files, by kind. */
  get lists(): CodeFileLists {
    this.#lists ??= runToEnd(listCodeFiles(this.root, [...this.modules.values()], this.files))
    return this.#lists
  }

  /** Notes that a file was created, changed or deleted. */
  change(path: string): void {
    this.index.change(path)
    const lists = this.#lists
    const kind = lists && getCodeFileKind(path, this.root, this.moduleOf(path))
    if (!kind) return
    const exists = this.getVersion(path) !== undefined
    if (lists[kind].includes(path) === exists) return
    const others = lists[kind].filter((each) => each !== path)
    this.#lists = { ...lists, [kind]: exists ? [...others, path].sort() : others }
    this.#names = undefined
  }

  /** Paths of all manifests, of the root and of its modules. */
  get manifests(): readonly string[] {
    return this.lists.manifest
  }

  /** The names that manifests of modules define by their paths, as Puppet's autoloader expects. */
  get autoloadNames(): readonly AutoloadName[] {
    this.#names ??= listAutoloadNames(this.manifests, (path) => this.moduleOf(path))
    return this.#names
  }

  /** Forgets which files exist, after files were created or deleted. */
  refresh(): void {
    this.#modules = undefined
    this.#lists = undefined
    this.#names = undefined
  }

  /** Lists modules and files again; the lists are replaced at the end. */
  *refreshLists(): Generator<void, CodeFileLists> {
    const modules = createModules(this.root, this.#modulepath, this.files)
    yield
    const lists = yield* listCodeFiles(this.root, [...modules.byName.values()], this.files)
    this.#modules = modules
    this.#lists = lists
    this.#names = undefined
    return lists
  }

  /** Sets the text of an open editor; undefined after it was closed. */
  setText(path: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(path)
    else this.#texts.set(path, { text, version: ++this.#changes })
    this.index.change(path)
  }

  /** The version of a file's content; undefined if the file does not exist or is too large. */
  getVersion(path: string): string | undefined {
    const open = this.#texts.get(path)
    if (open) return `open ${open.version}`
    return this.files.getVersion(path)
  }

  /** Parses a file; undefined if it does not exist or is too large. */
  file(path: string): CodeFile | undefined {
    const version = this.getVersion(path)
    if (version === undefined) return undefined
    const known = this.#parsed.get(path)
    if (known?.version === version) return known.file
    const text = this.#readText(path)
    if (text === undefined) return undefined
    const file = parseCodeFile(path, text, this.files)
    this.#parsed.set(path, { version, file })
    return file
  }

  /** Reads a text file that is not Puppet code, such as a template or Hiera data. */
  text(path: string): string | undefined {
    return this.getVersion(path) === undefined ? undefined : this.#readText(path)
  }

  /** The text of an open editor or of a file; undefined if the file is not readable. */
  #readText(path: string): string | undefined {
    const open = this.#texts.get(path)
    return open ? open.text : this.files.read(path)
  }

  /** Finds the definition of a name by the rules of Puppet's autoloader. */
  findDefinition(kind: NameKind, name: string, from?: string): LocatedOccurrence | undefined {
    const isWanted = (each: Occurrence) => each.kind === kind && each.name === name && each.isDefinition
    for (const path of this.#listCandidates(kind, name, from)) {
      const found = this.file(path)?.occurrences.find(isWanted)
      if (found) return { ...found, path }
    }
    return undefined
  }

  /** The file in Ruby that defines a function or a resource type. */
  findRubyFile(kind: NameKind, name: string): string | undefined {
    const files = [...this.modules.values()].flatMap((module) => listDefiningFiles(kind, name, module))
    return files.find((path) => path.endsWith('.rb') && this.files.exists(path))
  }

  #listCandidates(kind: NameKind, name: string, from: string | undefined): readonly string[] {
    const own = from === undefined ? [] : [from]
    if (kind === 'variable' || kind === 'attribute') {
      const owner = kind === 'attribute' ? getAttributeOwner(name) : name.split('::').slice(0, -1).join('::')
      return owner === '' ? own : [...own, ...this.#listCandidates('class', owner, undefined)]
    }
    const module = this.modules.get(name.split('::', 1)[0]!)
    const files = module ? listDefiningFiles(kind, name, module) : []
    return [...own, ...files.filter((path) => path.endsWith('.pp'))]
  }

  /** The full name that an occurrence means: an unqualified variable may be one of an inherited class. */
  resolveName({ name, parentClass }: Pick<Occurrence, 'name' | 'parentClass'>, path: string): string {
    const seen = new Set<string>()
    for (let at = parentClass; at !== undefined && !seen.has(at); at = this.#findParentClass(at, path)) {
      seen.add(at)
      if (this.findDefinition('variable', `${at}::${name}`, path)) return `${at}::${name}`
    }
    return name
  }

  #isNamed(each: Occurrence, name: string, path: string): boolean {
    if (each.parentClass === undefined) return each.name === name
    return name.split('::').at(-1) === each.name && this.resolveName(each, path) === name
  }

  #findParentClass(name: string, path: string): string | undefined {
    const found = this.findDefinition('class', name, path)
    const definitions = (found && this.file(found.path)?.program?.definitions) ?? []
    const own = definitions.find((each) => each.kind === 'HostClassDefinition' && each.name.toLowerCase() === name)
    return own?.kind === 'HostClassDefinition' ? own.parentClass?.toLowerCase().replace(/^::/, '') : undefined
  }

  /** Finds all places that define or use a name, with their occurrences. The files that contain the name are parsed. */
  findOccurrences(kind: NameKind, name: string, from: string): readonly LocatedOccurrence[] {
    const isLocal = kind === 'variable' && name.includes('@')
    const places = isLocal ? [] : this.findPlaces(kind, name, from)
    return [...new Set([from, ...places.map(({ path }) => path)])].flatMap((path) =>
      (this.file(path)?.occurrences ?? [])
        .filter((each) => isSameKind(each.kind, kind) && this.#isNamed(each, name, path))
        .map((each) => ({ ...each, path })),
    )
  }

  /** Finds all places that define or use a name in any file, those of `from` first. */
  findPlaces(kind: NameKind, name: string, from?: string): readonly NamePlace[] {
    const own = this.index.findPlaces(getPlaceName(kind, name), from)
    if (kind !== 'variable' || !name.includes('::')) return own
    const short = getPlainVariableName(name)
    const inherited = this.index.findPlaces(getPlaceName('inherited', short), from)
    const files = new Map<string, ReadonlySet<string>>()
    const isOwn = ({ path, line, start }: NamePlace) => {
      const known = files.get(path) ?? this.#listInherited(path, name)
      files.set(path, known)
      return known.has(`${line} ${start}`)
    }
    return [...own, ...inherited.filter(isOwn)]
  }

  /** The places of a file that mean an inherited variable. */
  #listInherited(path: string, name: string): ReadonlySet<string> {
    const short = getPlainVariableName(name)
    const found = (this.file(path)?.occurrences ?? []).filter(
      (each) => each.parentClass !== undefined && each.name === short && this.#isNamed(each, name, path),
    )
    return new Set(
      found.map(({ span }) => {
        const { line, column } = getLineAndColumn(span.source, span.start)
        return `${line - 1} ${column - 1}`
      }),
    )
  }
}

function listAutoloadNames(
  manifests: readonly string[],
  findModule: (path: string) => CodeModule | undefined,
): readonly AutoloadName[] {
  return manifests.flatMap((path) => {
    const module = findModule(path)
    return (module && toAutoloadName(module, path)) ?? []
  })
}

/** The class or defined type of an attribute. */
function getAttributeOwner(name: string): string {
  return name.split('#', 1)[0]!.replace(/^class:/, '')
}

/** A reference such as `File['/x']` or `Ntp::Server` may mean a data type, a resource type or a defined type. */
function isSameKind(a: NameKind, b: NameKind): boolean {
  const types: readonly NameKind[] = ['data type', 'resource type']
  return a === b || (types.includes(a) && types.includes(b))
}

interface WorkspaceModules {
  readonly byName: ReadonlyMap<string, CodeModule>
  readonly byFolder: ReadonlyMap<string, CodeModule>
}

function createModules(root: string, modulepath: readonly string[], files: WorkspaceFiles): WorkspaceModules {
  const byName = findModules(root, modulepath, files)
  return { byName, byFolder: new Map([...byName.values()].map((each) => [each.folder, each])) }
}

function findModules(
  root: string,
  modulepath: readonly string[],
  files: WorkspaceFiles,
): ReadonlyMap<string, CodeModule> {
  const modules = new Map<string, CodeModule>()
  const add = (folder: string, name: string) => {
    if (/^[a-z]\w*$/.test(name) && !modules.has(name)) modules.set(name, { name, folder })
  }
  // A control repository may also have a metadata.json.
  const own =
    readSettings(join(root, 'environment.conf'), files) === undefined ? readModuleName(root, files) : undefined
  if (own !== undefined) add(root, own)
  const folders = own === undefined ? listModuleFolders(root, files) : [join(root, 'spec/fixtures/modules')]
  for (const folder of [...folders, ...modulepath])
    for (const name of files.listNames(folder)) if (isModule(join(folder, name), files)) add(join(folder, name), name)
  return modules
}

function isModule(folder: string, files: WorkspaceFiles): boolean {
  return ['manifests', 'lib', 'functions', 'types', 'metadata.json'].some((name) => files.exists(join(folder, name)))
}

/** Folders of modules of a control repository, from its environment.conf. */
function listModuleFolders(root: string, files: WorkspaceFiles): readonly string[] {
  const text = readSettings(join(root, 'environment.conf'), files) ?? ''
  const lines = text.split('\n').map((line) => line.split('=', 2).map((part) => part.trim()))
  const setting = lines.find(([name]) => name === 'modulepath')?.[1] ?? 'modules:site:site-modules'
  return setting
    .split(':')
    .filter((each) => each !== '' && !each.includes('$'))
    .map((each) => resolve(root, each))
}

function readModuleName(root: string, files: WorkspaceFiles): string | undefined {
  const text = readSettings(join(root, 'metadata.json'), files)
  const description = text === undefined ? undefined : readModuleDescription(text)
  if (description) return description.forgeName && toShortModuleName(description.forgeName)
  return files.exists(join(root, 'manifests/init.pp')) ? basename(root).split('-').at(-1) : undefined
}

/** The text of a small file; undefined if it is absent, too large, no regular file, or not readable. */
function readSettings(path: string, files: WorkspaceFiles): string | undefined {
  return files.getVersion(path) === undefined ? undefined : files.read(path)
}
