import { join } from 'node:path'
import type { Files } from '../../../machine/system/system.ts'
import type { Catalog } from '../../../model/catalog.ts'
import { types } from '../../resources/types.ts'

/** Names of the catalog's types, including types of purged resources, that only Ruby files define. */
export async function findRubyTypes(
  catalog: Catalog,
  loadPath: readonly string[],
  files: Files,
): Promise<readonly string[]> {
  const purged = catalog.resources.filter(({ type }) => type === 'Resources')
  const names = new Set([
    ...catalog.resources.map(({ type }) => type.toLowerCase()),
    ...purged.map(({ title, parameters }) => String(parameters.get('name') ?? title)),
  ])
  const found: string[] = []
  for (const name of names) {
    if (types.has(name) || !/^[a-z]\w*$/.test(name) || name === 'class') continue
    const paths = loadPath.map((folder) => join(folder, 'puppet', 'type', `${name}.rb`))
    for (const path of paths) {
      if (!(await files.stat(path))) continue
      found.push(name)
      break
    }
  }
  return found
}
