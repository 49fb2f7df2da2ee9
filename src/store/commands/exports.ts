import { createExactObject, getEntries, getMember } from '../../base/json/exact-json.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'
import type { StoredCatalog } from './command.ts'

/**
 * The exported resources of a catalog, in the catalog's order. Aliases are added to the parameters
 * if this version of the catalog lists them separately. Sensitive parameters are never sent to the
 * store.
 */
export function listExportedResources({ certname, resources }: StoredCatalog): readonly ExportedResource[] {
  return resources
    .filter(({ exported }) => exported)
    .map(({ type, title, tags, aliases, parameters }) => {
      const given = [...getEntries(parameters)].flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      )
      const told = getMember(parameters, 'alias') !== undefined || aliases.length === 0
      return {
        certname,
        type,
        title,
        tags,
        parameters: told ? parameters : createExactObject([...given, ['alias', aliases]]),
      }
    })
}
