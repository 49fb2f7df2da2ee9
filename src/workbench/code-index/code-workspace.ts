import { basename, join, resolve } from 'node:path'
import { LRUCache } from 'lru-cache'
import { budgets } from '../../base/budgets/budgets.ts'
import { mapCooperatively } from '../../base/threads/cooperative-tasks.ts'
import { type CodeFile, parseCodeFile } from './code-file.ts'
import { type AutoloadName, type CodeModule, listDefiningFiles, toAutoloadName } from './module-layout.ts'
import type { NameKind, Occurrence } from './occurrence.ts'
import { diskFiles, type WorkspaceFiles } from './workspace-files.ts'

/** An occurrence with its file. */
export interface LocatedOccurrence extends Occurrence {
  readonly path: string
}

/** The code of a module or a control repository, with the texts of open editors. */
export class CodeWorkspace {
  readonly root: string
  readonly files: WorkspaceFiles
  readonly #texts = new Map<string, string>()
  readonly #parsed = new LRUCache<string, { readonly key: string; readonly file: CodeFile }>({
    max: budgets.workbench.parsedFiles.bound,
  })
  readonly #modulepath: readonly string[]
  #modules: ReadonlyMap<string, CodeModule> | undefined
  #manifests: readonly string[] | undefined
  #templates: readonly string[] | undefined
  #names: readonly AutoloadName[] | undefined

  /** `modulepath`: folders of modules besides those of the root. */
  constructor(root: string, modulepath: readonly string[] = [], files: WorkspaceFiles = diskFiles) {
    this.root = resolve(root)
    this.files = files
    this.#modulepath = modulepath
  }

  /** The modules, by name. */
  get modules(): ReadonlyMap<string, CodeModule> {
    this.#modules ??= findModules(this.root, this.#modulepath, this.files)
    return this.#modules
  }

  /** The module that contains a file. */
  moduleOf(path: string): CodeModule | undefined {
    return [...this.modules.values()]
      .filter(({ folder }) => path.startsWith(`${folder}/`))
      .sort((a, b) => b.folder.length - a.folder.length)[0]
  }

  /** Paths of all manifests, of the root and of its modules. */
  get manifests(): readonly string[] {
    this.#manifests ??= this.#listManifests()
    return this.#manifests
  }

  /** The names that manifests of modules define by their paths, as Puppet's autoloader expects. */
  get autoloadNames(): readonly AutoloadName[] {
    this.#names ??= this.manifests.flatMap((path) => {
      const module = this.moduleOf(path)
      return (module && toAutoloadName(module, path)) ?? []
    })
    return this.#names
  }

  /** Forgets which files exist, after files were created or deleted. */
  refresh(): void {
    this.#modules = undefined
    this.#manifests = undefined
    this.#templates = undefined
    this.#names = undefined
  }

  /** Sets the text of an open editor; undefined after it was closed. */
  setText(path: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(path)
    else this.#texts.set(path, text)
  }

  /** Parses a file; undefined if it does not exist or is too large. */
  file(path: string): CodeFile | undefined {
    const open = this.#texts.get(path)
    const key = open ?? this.files.getVersion(path)
    if (key === undefined) return undefined
    const known = this.#parsed.get(path)
    if (known?.key === key) return known.file
    const file = parseCodeFile(path, open ?? this.files.read(path), this.files)
    this.#parsed.set(path, { key, file })
    return file
  }

  /** Reads a text file that is not Puppet code, such as a template or Hiera data. */
  text(path: string): string | undefined {
    const open = this.#texts.get(path)
    if (open !== undefined) return open
    return this.files.getVersion(path) === undefined ? undefined : this.files.read(path)
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

  /** Finds all places that define or use a name. The files are parsed in slices. */
  async findOccurrences(kind: NameKind, name: string, from: string): Promise<readonly LocatedOccurrence[]> {
    const isLocal = kind === 'variable' && name.includes('@')
    const found: LocatedOccurrence[] = []
    await mapCooperatively(
      isLocal ? [from] : [...new Set([from, ...this.manifests, ...this.#listTemplates()])],
      (path) => {
        for (const each of this.file(path)?.occurrences ?? [])
          if (isSameKind(each.kind, kind) && this.#isNamed(each, name, path)) found.push({ ...each, path })
      },
    )
    return found
  }

  #listManifests(): readonly string[] {
    const folders = [...this.modules.values()].flatMap(({ folder }) =>
      ['manifests', 'functions', 'types', 'plans'].map((name) => join(folder, name)),
    )
    return this.#listCode([join(this.root, 'manifests'), ...folders], '.pp')
  }

  /** Paths of the EPP templates of all modules. */
  #listTemplates(): readonly string[] {
    this.#templates ??= this.#listCode(
      [...this.modules.values()].map(({ folder }) => join(folder, 'templates')),
      '.epp',
    )
    return this.#templates
  }

  #listCode(folders: readonly string[], extension: string): readonly string[] {
    const found = folders.flatMap((folder) => this.files.listBelow(folder))
    return [...new Set(found.filter((path) => path.endsWith(extension)))].sort()
  }
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

function findModules(
  root: string,
  modulepath: readonly string[],
  files: WorkspaceFiles,
): ReadonlyMap<string, CodeModule> {
  const modules = new Map<string, CodeModule>()
  const add = (folder: string, name: string) => {
    if (/^[a-z]\w*$/.test(name) && !modules.has(name)) modules.set(name, { name, folder })
  }
  const conf = readSettings(join(root, 'environment.conf'), files)
  // A control repository may also have a metadata.json.
  const own = conf === undefined ? readModuleName(root, files) : undefined
  if (own !== undefined) add(root, own)
  const folders = own === undefined ? listModuleFolders(root, conf ?? '') : [join(root, 'spec/fixtures/modules')]
  for (const folder of [...folders, ...modulepath])
    for (const name of files.listNames(folder)) if (isModule(join(folder, name), files)) add(join(folder, name), name)
  return modules
}

function isModule(folder: string, files: WorkspaceFiles): boolean {
  return ['manifests', 'lib', 'functions', 'types', 'metadata.json'].some((name) => files.exists(join(folder, name)))
}

/** Folders of modules of a control repository, from its environment.conf. */
function listModuleFolders(root: string, conf: string): readonly string[] {
  const lines = conf.split('\n').map((line) => line.split('=', 2).map((part) => part.trim()))
  const setting = lines.find(([name]) => name === 'modulepath')?.[1] ?? 'modules:site:site-modules'
  return setting
    .split(':')
    .filter((each) => each !== '' && !each.includes('$'))
    .map((each) => resolve(root, each))
}

function readModuleName(root: string, files: WorkspaceFiles): string | undefined {
  try {
    const { name } = JSON.parse(readSettings(join(root, 'metadata.json'), files) ?? '') as { readonly name?: unknown }
    return typeof name === 'string' ? name.split(/[-/]/).at(-1) : undefined
  } catch {
    return files.exists(join(root, 'manifests/init.pp')) ? basename(root).split('-').at(-1) : undefined
  }
}

/** The text of a small file; undefined if it is absent, too large, no regular file, or not readable. */
function readSettings(path: string, files: WorkspaceFiles): string | undefined {
  try {
    return files.getVersion(path) === undefined ? undefined : files.read(path)
  } catch {
    return undefined
  }
}
