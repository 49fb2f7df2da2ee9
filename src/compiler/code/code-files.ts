import type { CodeFiles } from '../../language/host.ts'
import { formatTreePath, type ModuleFiles, type Place } from './module-files.ts'

/** Module files for functions. A function can read a file by its displayed path after it has found the file by name. */
export function createCodeFiles(modules: ModuleFiles): CodeFiles {
  const found = new Map<string, Place>()
  return {
    findInModule(kind, name) {
      const [module, ...rest] = name.split('/')
      const path = `${kind}/${rest.join('/')}`
      const place = kind === 'files' ? modules.fileOrFolder(module ?? '', path) : modules.file(module ?? '', path)
      if (!place) return undefined
      const shown = formatTreePath(place)
      found.set(shown, place)
      return shown
    },
    readText(path) {
      const place = found.get(path) ?? modules.findDisplayedFile(path)
      return place?.tree.readText(place.path)
    },
    readBytes(path) {
      const place = found.get(path) ?? modules.findDisplayedFile(path)
      return place?.tree.read(place.path)
    },
    exists: (path) => found.has(path) || modules.findDisplayedFile(path) !== undefined,
    contentId(path) {
      const place = found.get(path) ?? modules.findDisplayedFile(path)
      return place?.tree.entry(place.path)?.oid
    },
    moduleDirectory(name) {
      const place = modules.module(name)
      return place && formatTreePath(place)
    },
  }
}
