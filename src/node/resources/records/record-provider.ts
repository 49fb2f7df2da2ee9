import type { AnyResource, ManagedResource } from '../managed-resource.ts'
import {
  defineProvider,
  type PropertyValues,
  type ProviderDefinition,
  type ProviderServices,
  type ProviderWork,
  type RunLog,
} from '../provider.ts'
import { listNamevars, listProperties, type NativeTypeDefinition, type ResourceAttributes } from '../type.ts'
import type { RecordFormat, RecordValues, TextRecord } from './record-format.ts'
import { deriveTitle, matchRecords, type RecordMatches } from './record-matching.ts'
import { createFlatFileStorage, type RecordStorage } from './record-storage.ts'
import { RecordStore } from './record-store.ts'

/** The entry of one resource, and the store of its files. */
export interface RecordState {
  readonly store: RecordStore
  readonly record: TextRecord
}

/** The argument of the provider's functions: a resource that is an entry in a file. */
export type RecordWork<Of extends ResourceAttributes> = ProviderWork<Of, RecordState>

/** A provider whose resources are entries of text files. */
export interface RecordProviderDefinition<Of extends ResourceAttributes>
  extends Omit<ProviderDefinition<Of, RecordState>, 'name' | 'type' | 'read' | 'begin' | 'prefetch' | 'list'>,
    RecordMatches<Of> {
  /** The format of the files; a function if the format has state, called once per run. */
  readonly format: RecordFormat | (() => RecordFormat)
  /** Storage for the targets; by default, the targets are files. */
  readonly place?: (services: ProviderServices, log: RunLog) => RecordStorage
  /** Targets that are always read; default: the type's default target. */
  readonly targets?: (services: ProviderServices) => Promise<readonly string[]>
  /** Finds the target of a resource without one; called again when the resource is evaluated. */
  readonly locate?: (services: ProviderServices, resource: ManagedResource<Of>) => Promise<void>
  /** Converts values from the form in the file to the form in the resource. */
  readonly seen?: Readonly<Record<string, (value: unknown) => unknown>>
}

/** Declares a provider for entries of text files: `host`, `mailalias`. */
export function defineRecordProvider<Of extends ResourceAttributes>(
  type: NativeTypeDefinition<Of>,
  name: string,
  definition: RecordProviderDefinition<Of>,
): ProviderDefinition<Of, RecordState> {
  const { format, place, targets, locate, seen, accepts, isSame, ...own } = definition
  const form = typeof format === 'function' ? format : () => format
  const { fields } = form()
  const properties = listProperties(type as NativeTypeDefinition)
  const open = createStoreOpener(
    form,
    place ?? ((services, log) => createFlatFileStorage(services, log)),
    targets ?? (async () => getDefaultTarget(type)),
  )
  return defineProvider<Of, RecordState>(type, name, {
    create: createRecord,
    remove: removeRecord,
    flush: (work) => flushRecord(work),
    ...own,
    async prefetch(services, resources, log) {
      for (const each of resources) await locate?.(services, each)
      const store = await open(
        services,
        resources.flatMap((each) => listTargets(each)),
        log,
      )
      const found = matchRecords(store.entries, resources, { accepts, isSame })
      return (resource) => ({ store, record: found.get(resource) ?? { values: { ensure: 'absent' } } })
    },
    async read(work) {
      const { state, resource } = work
      await locate?.(work, resource)
      const { values } = state.record
      if (values['ensure'] === 'absent') return { ensure: 'absent' }
      // An attribute that the format lacks is always in sync.
      const getMissingValue = (each: string) => (fields.includes(each) ? 'absent' : resource.value(each))
      return toPropertyValues(values, properties, seen, getMissingValue)
    },
    set: { ...Object.fromEntries(properties.filter((each) => each !== 'ensure').map(createSetter<Of>)), ...own.set },
    async list(services) {
      const store = await open(services, [], () => {})
      return store.entries.map((record) => ({
        name: deriveTitle(type, (each) => record.values[each]),
        ...toPropertyValues(record.values, properties, seen, () => undefined),
      }))
    },
  })
}

/** Reads the targets that are always read, and additional ones. */
function createStoreOpener(
  form: () => RecordFormat,
  place: (services: ProviderServices, log: RunLog) => RecordStorage,
  targets: (services: ProviderServices) => Promise<readonly string[]>,
) {
  return async (services: ProviderServices, more: readonly string[], log: RunLog): Promise<RecordStore> => {
    const store = new RecordStore(form(), place(services, log), services.system.now)
    for (const target of new Set([...(await targets(services)), ...more])) await store.load(target)
    return store
  }
}

function getDefaultTarget({ attributes }: { readonly attributes: ResourceAttributes }): readonly string[] {
  const target = attributes['target']?.default
  return typeof target === 'string' ? [target] : []
}

function toPropertyValues(
  values: RecordValues,
  properties: readonly string[],
  forms: RecordProviderDefinition<ResourceAttributes>['seen'],
  missing: (attribute: string) => unknown,
): PropertyValues {
  const entries = properties.map((attribute) => {
    const value = values[attribute]
    if (value === undefined) return [attribute, missing(attribute)]
    return [attribute, value === 'absent' ? value : (forms?.[attribute]?.(value) ?? value)]
  })
  return Object.fromEntries(entries)
}

function listTargets(resource: AnyResource): string[] {
  const target = resource.value('target')
  return typeof target === 'string' ? [target] : []
}

function createSetter<Of extends ResourceAttributes>(attribute: string) {
  const set = async (work: RecordWork<Of>, should: never): Promise<void> => {
    touchTargets(work)
    work.state.record.values[attribute] = should
  }
  return [attribute, set] as const
}

/** Creates the entry of a resource. */
export async function createRecord<Of extends ResourceAttributes>(work: RecordWork<Of>): Promise<void> {
  const { resource, state } = work
  for (const attribute of resource.properties()) state.record.values[attribute] = resource.value(attribute)
  touchTargets(work)
}

/** Removes the entry of a resource. */
export async function removeRecord<Of extends ResourceAttributes>(work: RecordWork<Of>): Promise<void> {
  touchTargets(work)
  work.state.record.values['ensure'] = 'absent'
}

/** Marks the present and the future file of an entry as changed. */
export function touchTargets<Of extends ResourceAttributes>({ resource, state }: RecordWork<Of>): void {
  state.store.touch(resource.value('target'))
  state.store.touch(state.record.values['target'])
}

/** Writes the changed files of an entry, to `place` if given. */
export async function flushRecord<Of extends ResourceAttributes>(
  { resource, state, log }: RecordWork<Of>,
  place?: RecordStorage,
): Promise<void> {
  const { store, record } = state
  const { values } = record
  values['target'] ??= resource.value('target')
  for (const attribute of listNamevars(resource.type as NativeTypeDefinition))
    values[attribute] ??= resource.value(attribute)
  store.add(record)
  await store.flush(resource.type.name, (level, message) => log(level, message, ''), place)
}
