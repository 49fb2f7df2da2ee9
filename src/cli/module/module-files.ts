import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { below, type Module, modulesOf } from '../../code/environments/modules.ts'
import { filesBelow } from '../../code/environments/walk-tree.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { codeSources, moduleSources } from '../../node/agent/file-sources.ts'
import type { FileSources } from '../../node/resources/provider.ts'

/** Sources of `puppet:///modules/…`; files in directories have their owners and modes. */
export function sourcesOfModules(code: CompileEnvironment): FileSources {
  if (code.tree.codeId !== undefined) return codeSources(code)
  return moduleSources(
    localSystem.files,
    code.modulepath.map(({ tree, path }) => below(tree.root, path)),
  )
}

/**
 * Runs `work` with the plug-ins and external facts of modules as folders. For a commit, temporary folders are written and
 * removed after the work.
 */
export async function withLibraries<Result>(
  code: CompileEnvironment,
  work: (libraries: readonly string[], facts: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const modules = modulesOf(code)
  const isStored = ({ directory }: Module) => directory.tree.codeId !== undefined
  const scratch = modules.some(isStored) ? await mkdtemp(join(tmpdir(), 'plumb-lib-')) : undefined
  const folders = (name: string): Promise<string[]> =>
    Promise.all(
      modules.map(async (module) => {
        const { tree, path } = module.directory
        if (!isStored(module)) return below(tree.root, below(path, name))
        const folder = join(scratch!, module.name, name)
        await writeFolder(module, name, folder)
        return folder
      }),
    )
  try {
    return await work(await folders('lib'), await folders('facts.d'))
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true })
  }
}

/** Writes a folder of a module to disk, with executable bits. */
async function writeFolder({ directory: { tree, path } }: Module, name: string, folder: string): Promise<void> {
  const source = below(path, name)
  for (const { path: file } of filesBelow(tree, source, (each) => each !== '..' && each !== '.')) {
    const place = join(folder, file.slice(source.length))
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, tree.read(file) ?? '', { mode: tree.entry(file)?.executable ? 0o755 : 0o644 })
  }
}
