import { join } from 'node:path'
import { isDataFile } from './data-keys.ts'
import type { CodeModule } from './module-layout.ts'
import type { WorkspaceFiles } from './workspace-files.ts'

/** Kinds of files that the code of a workspace consists of. */
export type CodeFileKind = 'manifest' | 'template' | 'ruby' | 'facts' | 'data' | 'dependencies'

/** The paths of the files of a workspace, by kind. */
export type CodeFileLists = Readonly<Record<CodeFileKind, readonly string[]>>

const manifestFolders: readonly string[] = ['manifests', 'functions', 'types', 'plans']
/** Folders of Hiera data in a module or a control repository. */
const dataFolders: readonly string[] = ['data', 'hieradata', 'hiera']

/** The kind of a file by its path below a module or a control repository; undefined if it is no part of the code. */
export function getCodeFileKind(path: string, root: string, module: CodeModule | undefined): CodeFileKind | undefined {
  const inner = path.slice((module?.folder ?? root).length + 1)
  const [folder = ''] = inner.split('/', 1)
  if (inner === 'metadata.json' || path === join(root, 'Puppetfile')) return 'dependencies'
  if (manifestFolders.includes(folder) && (module || folder === 'manifests'))
    return path.endsWith('.pp') ? 'manifest' : undefined
  if (folder === 'templates') return 'template'
  if (folder === 'lib') return path.endsWith('.rb') ? 'ruby' : undefined
  if (folder === 'facts.d') return module ? 'facts' : undefined
  return dataFolders.includes(folder) && isDataFile(path) ? 'data' : undefined
}

/** Lists the files of a control repository or a module and of all modules; yields after each folder. */
export function* listCodeFiles(
  root: string,
  modules: readonly CodeModule[],
  files: WorkspaceFiles,
): Generator<void, CodeFileLists> {
  const found: Record<CodeFileKind, Set<string>> = {
    manifest: new Set(),
    template: new Set(),
    ruby: new Set(),
    facts: new Set(),
    data: new Set(),
    dependencies: new Set(),
  }
  const folders = ['templates', 'lib', 'facts.d', ...manifestFolders, ...dataFolders]
  const own = modules.some(({ folder }) => folder === root) ? [] : [undefined]
  for (const module of [...own, ...modules]) {
    const top = module?.folder ?? root
    for (const name of ['metadata.json', 'Puppetfile'])
      if (files.exists(join(top, name)) && getCodeFileKind(join(top, name), root, module))
        found.dependencies.add(join(top, name))
    for (const folder of folders) {
      for (const path of files.listBelow(join(top, folder))) {
        const kind = getCodeFileKind(path, root, module)
        if (kind) found[kind].add(path)
      }
      yield
    }
  }
  const sort = (paths: ReadonlySet<string>) => [...paths].sort()
  return {
    manifest: sort(found.manifest),
    template: sort(found.template),
    ruby: sort(found.ruby),
    facts: sort(found.facts),
    data: sort(found.data),
    dependencies: sort(found.dependencies),
  }
}
