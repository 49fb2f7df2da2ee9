import { PuppetError } from '../../base/issue.ts'
import { getStartLine } from '../../base/source.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { walkFiles } from '../../code/environments/tree-walk.ts'
import type { Definition } from '../../language/syntax/tree/nodes.ts'
import { normalizeName } from '../code/code-definition.ts'
import { readDataKeyLines } from '../code/data-key-lines.ts'
import { getModuleFiles } from '../code/module-files.ts'
import { type CodeOptions, parseFile } from '../code/source-cache.ts'
import { type LayerKind, readHieraConfig } from '../hiera/config.ts'
import { listEnvironmentTrees } from '../reads/compilation-reads.ts'

/** Kinds of code items that nodes can use. */
export const codeKinds = ['class', 'define', 'function', 'type alias', 'template', 'file', 'data key'] as const
/** Name of a kind of code item. */
export type CodeKind = (typeof codeKinds)[number]

/** A code item that nodes can use. */
export interface CodeItem {
  readonly kind: CodeKind
  /** Name such as `ntp::config`, `ntp/ntp.conf.epp` or `ntp::servers`. */
  readonly name: string
  /** Name of the module; empty for the environment itself. */
  readonly module: string
  /** Number of the item's tree in the environment, as in the recorded reads of compilations. */
  readonly tree: string
  /** Path relative to the root of the tree. */
  readonly path: string
  /** Path that messages display. */
  readonly file: string
  readonly line: number | undefined
}

/**
 * Lists the classes, defined types, functions, type aliases, templates, files and data keys of an
 * environment.
 */
export function listCodeItems(environment: CompileEnvironment, options: CodeOptions): readonly CodeItem[] {
  const trees = listEnvironmentTrees(environment)
  const files = getModuleFiles(environment)
  const modules = files.names().flatMap((module) => {
    const { tree, path } = files.module(module)!
    const at = { tree, number: String(trees.indexOf(tree)), folder: path, module }
    return [
      ...listDefinitions(at, ['manifests', 'functions', 'types'], options),
      ...listTemplatesAndFiles(at),
      ...listDataKeys(at, 'module'),
    ]
  })
  const own = { tree: environment.tree, number: '0', folder: '', module: '' }
  return [
    ...listDefinitions(own, ['manifests', 'functions', 'types'], options),
    ...listDataKeys(own, 'environment'),
    ...modules,
  ]
}

/** A folder of code: a module, or the environment itself. */
interface At {
  readonly tree: CodeTree
  readonly number: string
  readonly folder: string
  readonly module: string
}

function listFilesBelow({ tree, folder }: At, name: string): readonly string[] {
  const start = folder === '' ? name : `${folder}/${name}`
  if (tree.entry(start)?.kind !== 'directory') return []
  return Array.from(walkFiles(tree, start), ({ path }) => path)
}

function getItemPlace({ tree, number }: At, path: string): Pick<CodeItem, 'tree' | 'path' | 'file'> {
  return { tree: number, path, file: `${tree.root}/${path}` }
}

/** Returns the definitions in manifests. Manifests with syntax errors contribute no definitions. */
function listDefinitions(at: At, folders: readonly string[], options: CodeOptions): CodeItem[] {
  const { tree, module } = at
  const paths = folders.flatMap((name) => listFilesBelow(at, name)).filter((path) => path.endsWith('.pp'))
  return paths.flatMap((path) => {
    const moduleFile = module === '' ? {} : { moduleFile: path.slice(at.folder.length - module.length) }
    try {
      const found = parseFile(tree, path, { ...options, ...moduleFile })?.program.definitions ?? []
      return found.flatMap((each) => {
        const known = identifyDefinition(each)
        return known ? [{ ...known, module, ...getItemPlace(at, path), line: getStartLine(each.span) }] : []
      })
    } catch (error) {
      if (error instanceof PuppetError) return []
      throw error
    }
  })
}

function identifyDefinition(definition: Definition): Pick<CodeItem, 'kind' | 'name'> | undefined {
  switch (definition.kind) {
    case 'HostClassDefinition':
      return { kind: 'class', name: normalizeName(definition.name) }
    case 'ResourceTypeDefinition':
      return { kind: 'define', name: normalizeName(definition.name) }
    case 'FunctionDefinition':
      return { kind: 'function', name: normalizeName(definition.name) }
    case 'TypeAlias':
      return { kind: 'type alias', name: definition.name }
    default:
      return undefined
  }
}

function listTemplatesAndFiles(at: At): CodeItem[] {
  const { module, folder } = at
  const listItemsBelow = (kind: CodeKind, name: string) =>
    listFilesBelow(at, name).map((path): CodeItem => {
      const rest = path.slice(folder.length + name.length + 2)
      return { kind, name: `${module}/${rest}`, module, ...getItemPlace(at, path), line: undefined }
    })
  return [...listItemsBelow('template', 'templates'), ...listItemsBelow('file', 'files')]
}

/** Returns the keys in the data files that hiera.yaml refers to, without `lookup_options`. */
function listDataKeys(at: At, layer: LayerKind): CodeItem[] {
  const { tree, module } = at
  const paths = new Set(listDataFolders(at, layer).flatMap((folder) => listFilesBelow(at, folder)))
  return [...paths].flatMap((path) =>
    Array.from(readDataKeyLines(path, tree.readText(path) ?? ''), ([name, line]): CodeItem => {
      return { kind: 'data key', name, module, ...getItemPlace(at, path), line }
    }).filter(({ name }) => name !== 'lookup_options'),
  )
}

/**
 * Returns the data folders in hiera.yaml; for a folder with variables in its name, the part before the first variable.
 */
function listDataFolders({ tree, folder }: At, layer: LayerKind): readonly string[] {
  try {
    const config = readHieraConfig(tree, folder === '' ? 'hiera.yaml' : `${folder}/hiera.yaml`, layer)
    const all = [...(config?.hierarchy ?? []), ...(config?.defaultHierarchy ?? [])]
    return [...new Set(all.map(({ datadir }) => getConstantFolder(datadir)))].filter((name) => name !== '')
  } catch (error) {
    if (error instanceof PuppetError) return []
    throw error
  }
}

/** Returns the normalized path of a data folder up to the first variable; empty for a folder outside of the code. */
function getConstantFolder(datadir: string): string {
  const parts = datadir.split('/')
  const variable = parts.findIndex((part) => part.includes('%{'))
  const plain = parts.slice(0, variable < 0 ? parts.length : variable)
  return datadir.startsWith('/') || plain.includes('..')
    ? ''
    : plain.filter((part) => part !== '' && part !== '.').join('/')
}
