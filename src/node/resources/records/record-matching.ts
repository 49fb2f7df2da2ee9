import type { AnyResource, ManagedResource } from '../managed-resource.ts'
import type { Attributes, TypeDefinition } from '../type.ts'
import type { TextRecord } from './record-format.ts'

/** The ways of a provider to tell which entry is which resource's. */
export interface Matching<Of extends Attributes> {
  /** False of an entry that has the title of a resource and is another all the same. */
  readonly accepts?: ((record: TextRecord, resource: ManagedResource<Of>) => boolean) | undefined
  /** True of an entry that is a resource's though it goes by another name. */
  readonly isSame?: ((record: TextRecord, resource: ManagedResource<Of>) => boolean) | undefined
}

/** The entry of each resource that has one; the last where there are several. */
export function matchRecords<Of extends Attributes>(
  entries: readonly TextRecord[],
  resources: readonly ManagedResource<Of>[],
  { accepts, isSame }: Matching<Of>,
): ReadonlyMap<AnyResource, TextRecord> {
  const byTitle = new Map(resources.map((each) => [titleOf(each.type, (name) => each.value(name)), each]))
  const unmatched = new Set(isSame ? resources : [])
  const found = new Map<AnyResource, TextRecord>()
  for (const record of entries) {
    const named = resources[0] && byTitle.get(titleOf(resources[0].type, (name) => record.values[name]))
    if (named && (accepts?.(record, named) ?? true)) {
      found.set(named, record)
      continue
    }
    const other = [...unmatched].find((each) => isSame?.(record, each))
    if (!other) continue
    unmatched.delete(other)
    record.values['name'] = other.name
    found.set(other, record)
  }
  return found
}

/** The title of an entry or of a resource, by its attributes. */
export function titleOf({ ownTitle }: Pick<TypeDefinition, 'ownTitle'>, get: (attribute: string) => unknown): string {
  return ownTitle?.(get) ?? String(get('name'))
}
