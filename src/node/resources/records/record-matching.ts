import type { AnyResource, ManagedResource } from '../managed-resource.ts'
import type { NativeTypeDefinition, ResourceAttributes } from '../type.ts'
import type { TextRecord } from './record-format.ts'

/** A provider's rules for matching entries with resources. */
export interface RecordMatches<Of extends ResourceAttributes> {
  /** False if an entry with the resource's title must not match it. */
  readonly accepts?: ((record: TextRecord, resource: ManagedResource<Of>) => boolean) | undefined
  /** True if an entry with another name belongs to the resource. */
  readonly isSame?: ((record: TextRecord, resource: ManagedResource<Of>) => boolean) | undefined
}

/** Finds the entry of each resource; the last entry if several entries match. */
export function matchRecords<Of extends ResourceAttributes>(
  entries: readonly TextRecord[],
  resources: readonly ManagedResource<Of>[],
  { accepts, isSame }: RecordMatches<Of>,
): ReadonlyMap<AnyResource, TextRecord> {
  const byTitle = new Map(resources.map((each) => [deriveTitle(each.type, (name) => each.value(name)), each]))
  const unmatched = new Set(isSame ? resources : [])
  const found = new Map<AnyResource, TextRecord>()
  for (const record of entries) {
    const named = resources[0] && byTitle.get(deriveTitle(resources[0].type, (name) => record.values[name]))
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

/** The title of an entry or a resource, derived from its attributes. */
export function deriveTitle(
  { ownTitle }: Pick<NativeTypeDefinition, 'ownTitle'>,
  get: (attribute: string) => unknown,
): string {
  return ownTitle?.(get) ?? String(get('name'))
}
