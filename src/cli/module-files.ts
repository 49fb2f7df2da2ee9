import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { codeSources, moduleSources } from '../agent/file-sources.ts'
import type { CompileEnvironment } from '../environments/compile-environment.ts'
import { below, type Module, modulesOf } from '../environments/modules.ts'
import { filesBelow } from '../environments/walk-tree.ts'
import type { FileSources } from '../resources/provider.ts'
import { localSystem } from '../system/local-system.ts'

/** Sources of `puppet:///modules/…`; files of a folder have their owners and modes. */
export function sourcesOfModules(code: CompileEnvironment): FileSources {
  if (code.tree.codeId !== undefined) return codeSources(code)
  return moduleSources(
    localSystem.files,
    code.modulepath.map(({ tree, path }) => below(tree.root, path)),
  )
}

/**
 * Does work that needs the folders of plug-ins of modules, `lib`. Those of a commit are on the disk only as long as that
 * takes.
 */
export async function withLibraries<Result>(
  code: CompileEnvironment,
  work: (folders: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const modules = modulesOf(code)
  const isStored = ({ directory }: Module) => directory.tree.codeId !== undefined
  const scratch = modules.some(isStored) ? await mkdtemp(join(tmpdir(), 'plumb-lib-')) : undefined
  try {
    const folders: string[] = []
    for (const module of modules) {
      const { tree, path } = module.directory
      const stored = isStored(module) && (await writeLibrary(module, join(scratch!, module.name)))
      folders.push(stored || below(tree.root, below(path, 'lib')))
    }
    return await work(folders)
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true })
  }
}

/** Writes the plug-ins of a module to a folder, and answers it. */
async function writeLibrary({ directory: { tree, path } }: Module, folder: string): Promise<string> {
  const library = below(path, 'lib')
  for (const { path: file } of filesBelow(tree, library, (name) => name !== '..' && name !== '.')) {
    const place = join(folder, file.slice(library.length))
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, tree.read(file) ?? '')
  }
  return folder
}
