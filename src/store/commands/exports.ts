import { entriesOf, exactObject, memberOf } from '../../base/json/exact-json.ts'
import type { ExportedResource } from '../../model/exported-resource.ts'
import type { StoredCatalog } from './command.ts'

/**
 * Resources of a catalog that other nodes may collect, in its order. Aliases are among the parameters, where the catalog's
 * version told of them elsewhere, too. Secrets never came into the store.
 */
export function exportsIn({ certname, resources }: StoredCatalog): readonly ExportedResource[] {
  return resources
    .filter(({ exported }) => exported)
    .map(({ type, title, tags, aliases, parameters }) => {
      const given = [...entriesOf(parameters)].flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      )
      const told = memberOf(parameters, 'alias') !== undefined || aliases.length === 0
      return {
        certname,
        type,
        title,
        tags,
        parameters: told ? parameters : exactObject([...given, ['alias', aliases]]),
      }
    })
}
