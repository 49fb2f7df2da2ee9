import { joinPath, type Module } from '../../code/environments/modules.ts'

const folder = 'puppet/transport/schema'

/** A transport schema: its name for Ruby's `require`, and its absolute path. */
export type SchemaFile = readonly [name: string, path: string]

/**
 * Transport schemas of the modules; the first module with a name wins. Puppet: util/autoload.rb.
 */
export function listSchemaFiles(modules: readonly Module[]): readonly SchemaFile[] {
  const found = new Map<string, string>()
  for (const { directory } of modules) {
    const path = joinPath(directory.path, `lib/${folder}`)
    for (const each of [...directory.tree.list(path)].sort()) {
      const name = `${folder}/${each.slice(0, -'.rb'.length)}`
      const isFile = each.endsWith('.rb') && directory.tree.entry(`${path}/${each}`)?.kind === 'file'
      if (isFile && !found.has(name)) found.set(name, `${directory.tree.root}/${path}/${each}`)
    }
  }
  return [...found]
}

/** Absolute paths of the modules' `lib` folders, which `require` searches. */
export function listLibFolders(modules: readonly Module[]): readonly string[] {
  return modules
    .map(({ directory: { tree, path } }) => ({ tree, lib: joinPath(path, 'lib') }))
    .filter(({ tree, lib }) => tree.entry(lib)?.kind === 'directory')
    .map(({ tree, lib }) => `${tree.root}/${lib}`)
}
