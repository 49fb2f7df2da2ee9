import { readRuby } from '../../code/environments/watched-tree.ts'
import type { CodeFiles } from '../../language/host.ts'
import { type ModuleFiles, type Place, shownPath } from './module-files.ts'

/** Module files for functions. A function can read a file by its displayed path after it has found the file by name. */
export function codeFiles(modules: ModuleFiles): CodeFiles {
  const found = new Map<string, Place>()
  return {
    findInModule(kind, name) {
      const [module, ...rest] = name.split('/')
      const path = `${kind}/${rest.join('/')}`
      const place = kind === 'files' ? modules.fileOrFolder(module ?? '', path) : modules.file(module ?? '', path)
      if (!place) return undefined
      const shown = shownPath(place)
      found.set(shown, place)
      return shown
    },
    readText(path) {
      const place = found.get(path) ?? modules.placeOf(path)
      return place?.tree.readText(place.path)
    },
    readBytes(path) {
      const place = found.get(path) ?? modules.placeOf(path)
      return place?.tree.read(place.path)
    },
    readRuby(path) {
      const place = found.get(path) ?? modules.placeOf(path)
      return place && readRuby(place.tree, place.path)
    },
    exists: (path) => found.has(path) || modules.placeOf(path) !== undefined,
    contentId(path) {
      const place = found.get(path) ?? modules.placeOf(path)
      return place?.tree.entry(place.path)?.oid
    },
    moduleDirectory(name) {
      const place = modules.module(name)
      return place && shownPath(place)
    },
  }
}
