import { formatTreePath, type ModuleFiles } from '../code/module-files.ts'

/** Returns the `lib` folders of all modules, which are Ruby's load path. */
export function listLoadPath(files: ModuleFiles): readonly string[] {
  return files.names().flatMap((name) => {
    const place = files.module(name)!
    const path = `${place.path}/lib`
    return place.tree.entry(path)?.kind === 'directory' ? [formatTreePath({ tree: place.tree, path })] : []
  })
}
