import type { CodeFiles } from '../language/host.ts'
import { type ModuleFiles, type Place, shownPath } from './module-files.ts'

/** The files of modules as functions read them: by their shown path, and only those that were found. */
export function codeFiles(modules: ModuleFiles): CodeFiles {
  const found = new Map<string, Place>()
  return {
    findInModule(kind, name) {
      const [module, ...rest] = name.split('/')
      const place = modules.file(module ?? '', `${kind}/${rest.join('/')}`)
      if (!place) return undefined
      const path = shownPath(place)
      found.set(path, place)
      return path
    },
    readText(path) {
      const place = found.get(path) ?? modules.placeOf(path)
      return place?.tree.readText(place.path)
    },
    readBytes(path) {
      const place = found.get(path) ?? modules.placeOf(path)
      return place?.tree.read(place.path)
    },
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
