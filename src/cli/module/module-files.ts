import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CompileEnvironment } from '../../code/environments/compile-environment.ts'
import { joinPath, listModules, type Module } from '../../code/environments/modules.ts'
import { walkFiles } from '../../code/environments/tree-walk.ts'
import { localSystem } from '../../machine/system/local-system.ts'
import { createCodeSources, createModuleSources } from '../../node/agent/file-sources.ts'
import type { ProviderFileSources } from '../../node/resources/provider.ts'

/** Creates the source of `puppet:///modules/…`. Files from directories keep their owners and modes. */
export function createModuleFileSources(code: CompileEnvironment): ProviderFileSources {
  if (code.tree.codeId !== undefined) return createCodeSources(code)
  return createModuleSources(
    localSystem.files,
    code.modulepath.map(({ tree, path }) => joinPath(tree.root, path)),
  )
}

/** Folders of a module that Deferred functions read. */
const deferredFolders = ['files', 'functions', 'templates'] as const

/**
 * Runs `work` with the plug-ins and external facts of modules as folders. For a commit, temporary folders are written and
 * removed after the work.
 */
export async function withLibraries<Result>(
  code: CompileEnvironment,
  work: (libraries: readonly string[], facts: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const modules = listModules(code)
  const isInCommit = ({ directory }: Module) => directory.tree.codeId !== undefined
  const scratch = modules.some(isInCommit) ? await mkdtemp(join(tmpdir(), 'plumb-lib-')) : undefined
  const writeModuleFolders = (name: string): Promise<string[]> =>
    Promise.all(
      modules.map(async (module) => {
        const { tree, path } = module.directory
        if (!isInCommit(module)) return joinPath(tree.root, joinPath(path, name))
        const folder = join(scratch!, module.name, name)
        await writeFolder(module, name, folder)
        return folder
      }),
    )
  try {
    if (scratch !== undefined) for (const name of deferredFolders) await writeModuleFolders(name)
    return await work(await writeModuleFolders('lib'), await writeModuleFolders('facts.d'))
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true })
  }
}

/** Writes a folder of a module to disk, with executable bits. */
async function writeFolder({ directory: { tree, path } }: Module, name: string, folder: string): Promise<void> {
  const source = joinPath(path, name)
  for (const { path: file } of walkFiles(tree, source, (each) => each !== '..' && each !== '.')) {
    const place = join(folder, file.slice(source.length))
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, tree.read(file) ?? '', { mode: tree.entry(file)?.executable ? 0o755 : 0o644 })
  }
}
