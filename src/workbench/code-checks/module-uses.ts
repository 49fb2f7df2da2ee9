import { basename, join } from 'node:path'
import { getLineAndColumn } from '../../base/source.ts'
import { bundledTypes } from '../../compiler/code/native-types.ts'
import type { CodeFile } from '../code-index/code-file.ts'
import type { CodeModule } from '../code-index/module-layout.ts'
import type { Occurrence } from '../code-index/occurrence.ts'
import type { CheckedCode } from './code/checked-code.ts'

/** The first place at which code uses a module. */
export interface ModuleUse {
  readonly module: string
  readonly path: string
  readonly line: number
}

/** The modules that the code of a module uses. */
export interface ModuleUses {
  /** Certain uses, by the name of the module. */
  readonly uses: ReadonlyMap<string, ModuleUse>
  /** True if no code uses a module: no name in manifests is its own, and no other file contains its name. */
  isUnused(module: string): boolean
}

/** Namespaces of names that Puppet itself defines. */
const builtinNamespaces: ReadonlySet<string> = new Set([
  'pcore',
  'puppet',
  'settings',
  'environment',
  'facts',
  'trusted',
])
/** The ending of the modules whose types the package of Puppet's agent contains, so that their names are Puppet's. */
const bundledEnding = /_core$/
/** Folders with other files than Puppet code, in which a name of a module may occur. */
const otherFolders = ['lib', 'templates', 'data', 'hieradata', 'tasks', 'plans', 'facts.d']

/**
 * Finds the modules that manifests, functions, types and EPP templates of a module use. Plans are left out. While a
 * dependency is absent from the workspace, it may define any name without a namespace that no dependency defines.
 */
export function findModuleUses(code: CheckedCode, own: CodeModule, dependencies: ReadonlySet<string>): ModuleUses {
  const { workspace } = code
  const uses = new Map<string, ModuleUse>()
  const isComplete = [...dependencies].every((name) => workspace.modules.has(name))
  let hasUnknownName = false
  const templates = workspace.files.listBelow(join(own.folder, 'templates')).filter((path) => path.endsWith('.epp'))
  const manifests = workspace.manifests.filter((path) => workspace.moduleOf(path)?.folder === own.folder)
  const paths = [...manifests, ...templates]
  for (const path of paths) {
    const file = workspace.file(path)
    if (!file || file.isPlan) continue
    for (const each of file.occurrences) {
      const module = each.isDefinition ? undefined : findModuleOf(each, file, code)
      if (module === undefined || module === own.name || uses.has(module)) continue
      const isCertain = each.name.includes('::') || each.kind === 'class' || dependencies.has(module) || isComplete
      if (module === unknownModule || !isCertain) hasUnknownName = true
      else uses.set(module, { module, path, line: getLineAndColumn(each.span.source, each.span.start).line })
    }
  }
  return {
    uses,
    isUnused: (name) =>
      !bundledEnding.test(name) &&
      !uses.has(name) &&
      (workspace.modules.has(name) || !hasUnknownName) &&
      !isMentioned(code, own, paths, name),
  }
}

/** Stands for the module of a name that no module in the workspace defines. */
const unknownModule = ''

/** The name of the module that defines a name; undefined for names of Puppet, and for local ones. */
function findModuleOf(
  { kind, name }: Occurrence,
  file: CodeFile,
  { workspace, definitions }: CheckedCode,
): string | undefined {
  const [first = '', ...rest] = name.split('::')
  if (!/^[a-z]\w*$/.test(first) || builtinNamespaces.has(first)) return undefined
  if (rest.length > 0) return kind === 'attribute' || name.includes('@') ? undefined : first
  if (kind === 'class') return first
  if (kind === 'data type') return workspace.modules.has(name) && !definitions.findAlias(name, file) ? name : undefined
  if (kind !== 'resource type' && kind !== 'function') return undefined
  if (kind === 'resource type' && (definitions.findNativeType(name) || bundledTypes.has(name))) return undefined
  if (kind === 'function' && definitions.findFunction(name, file)?.kind === 'built-in') return undefined
  const ruby = workspace.findRubyFile(kind, name)
  if (ruby !== undefined) return workspace.moduleOf(ruby)?.name
  if (kind === 'resource type') return workspace.modules.has(name) ? name : unknownModule
  return definitions.findFunction(name, file) ? undefined : unknownModule
}

/**
 * True if a file of Ruby, data or a task, an ERB template, or a string in Puppet code contains the name of a module, or of
 * a Ruby type, provider or function in it.
 */
function isMentioned({ workspace }: CheckedCode, own: CodeModule, code: readonly string[], name: string): boolean {
  const module = workspace.modules.get(name)
  const ruby = module ? workspace.files.listBelow(join(module.folder, 'lib/puppet')) : []
  const words = [name, ...ruby.map((path) => basename(path, '.rb'))].map((word) => word.toLowerCase())
  const inStrings = words.flatMap((word) => [`${word}::`, `'${word}'`, `"${word}"`])
  const others = otherFolders.flatMap((folder) => workspace.files.listBelow(join(own.folder, folder)))
  const contains = (path: string, texts: readonly string[]) => {
    const text = workspace.text(path)?.toLowerCase() ?? ''
    return texts.some((each) => text.includes(each))
  }
  return others.some((path) => contains(path, words)) || code.some((path) => contains(path, inStrings))
}
