import type { AnyResource, ManagedResource } from '../managed-resource.ts'
import {
  defineProvider,
  type ProviderDefinition,
  type RunLog,
  type Seen,
  type Services,
  type Work,
} from '../provider.ts'
import { type Attributes, namevarsOf, propertiesOf, type TypeDefinition } from '../type.ts'
import type { RecordFormat, TextRecord, Values } from './record-format.ts'
import { type Matching, matchRecords, titleOf } from './record-matching.ts'
import { flatFiles, type RecordPlace } from './record-places.ts'
import { RecordStore } from './record-store.ts'

/** The entry of one resource, and the store of its files. */
export interface RecordState {
  readonly store: RecordStore
  readonly record: TextRecord
}

/** Work on a resource that is an entry in a file. */
export type RecordWork<Of extends Attributes> = Work<Of, RecordState>

/** A provider whose resources are entries of text files. */
export interface RecordProviderDefinition<Of extends Attributes>
  extends Omit<ProviderDefinition<Of, RecordState>, 'name' | 'type' | 'read' | 'begin' | 'prefetch' | 'list'>,
    Matching<Of> {
  /** The format of the files; a function if the format has state, called once per run. */
  readonly format: RecordFormat | (() => RecordFormat)
  /** Storage for the targets; default: files. */
  readonly place?: (services: Services, log: RunLog) => RecordPlace
  /** Targets that are always read; default: the type's default target. */
  readonly targets?: (services: Services) => Promise<readonly string[]>
  /** Finds the target of a resource without one; called again when the resource is evaluated. */
  readonly locate?: (services: Services, resource: ManagedResource<Of>) => Promise<void>
  /** Converts values from the form in the file to the form in the resource. */
  readonly seen?: Readonly<Record<string, (value: unknown) => unknown>>
}

/** Declares a provider for entries of text files: `host`, `mailalias`. */
export function recordProvider<Of extends Attributes>(
  type: TypeDefinition<Of>,
  name: string,
  definition: RecordProviderDefinition<Of>,
): ProviderDefinition<Of, RecordState> {
  const { format, place, targets, locate, seen, accepts, isSame, ...own } = definition
  const form = typeof format === 'function' ? format : () => format
  const { fields } = form()
  const properties = propertiesOf(type as TypeDefinition)
  const open = opener(
    form,
    place ?? ((services, log) => flatFiles(services, log)),
    targets ?? (async () => defaultTarget(type)),
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
        resources.flatMap((each) => targetOf(each)),
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
      const missing = (each: string) => (fields.includes(each) ? 'absent' : resource.value(each))
      return seenOf(values, properties, seen, missing)
    },
    set: { ...Object.fromEntries(properties.filter((each) => each !== 'ensure').map(setterOf<Of>)), ...own.set },
    async list(services) {
      const store = await open(services, [], () => {})
      return store.entries.map((record) => ({
        name: titleOf(type, (each) => record.values[each]),
        ...seenOf(record.values, properties, seen, () => undefined),
      }))
    },
  })
}

/** Reads the targets that are always read, and additional ones. */
function opener(
  form: () => RecordFormat,
  place: (services: Services, log: RunLog) => RecordPlace,
  targets: (services: Services) => Promise<readonly string[]>,
) {
  return async (services: Services, more: readonly string[], log: RunLog): Promise<RecordStore> => {
    const store = new RecordStore(form(), place(services, log), services.system.now)
    for (const target of new Set([...(await targets(services)), ...more])) await store.load(target)
    return store
  }
}

function defaultTarget({ attributes }: { readonly attributes: Attributes }): readonly string[] {
  const target = attributes['target']?.default
  return typeof target === 'string' ? [target] : []
}

function seenOf(
  values: Values,
  properties: readonly string[],
  forms: RecordProviderDefinition<Attributes>['seen'],
  missing: (attribute: string) => unknown,
): Seen {
  const entries = properties.map((attribute) => {
    const value = values[attribute]
    if (value === undefined) return [attribute, missing(attribute)]
    return [attribute, value === 'absent' ? value : (forms?.[attribute]?.(value) ?? value)]
  })
  return Object.fromEntries(entries)
}

function targetOf(resource: AnyResource): string[] {
  const target = resource.value('target')
  return typeof target === 'string' ? [target] : []
}

function setterOf<Of extends Attributes>(attribute: string) {
  const set = async (work: RecordWork<Of>, should: never): Promise<void> => {
    touchTargets(work)
    work.state.record.values[attribute] = should
  }
  return [attribute, set] as const
}

/** Creates the entry of a resource. */
export async function createRecord<Of extends Attributes>(work: RecordWork<Of>): Promise<void> {
  const { resource, state } = work
  for (const attribute of resource.properties()) state.record.values[attribute] = resource.value(attribute)
  touchTargets(work)
}

/** Removes the entry of a resource. */
export async function removeRecord<Of extends Attributes>(work: RecordWork<Of>): Promise<void> {
  touchTargets(work)
  work.state.record.values['ensure'] = 'absent'
}

/** Marks the present and the future file of an entry as changed. */
export function touchTargets<Of extends Attributes>({ resource, state }: RecordWork<Of>): void {
  state.store.touch(resource.value('target'))
  state.store.touch(state.record.values['target'])
}

/** Writes the changed files of an entry, to `place` if given. */
export async function flushRecord<Of extends Attributes>(
  { resource, state, log }: RecordWork<Of>,
  place?: RecordPlace,
): Promise<void> {
  const { store, record } = state
  const { values } = record
  values['target'] ??= resource.value('target')
  for (const attribute of namevarsOf(resource.type as TypeDefinition)) values[attribute] ??= resource.value(attribute)
  store.add(record)
  await store.flush(resource.type.name, (level, message) => log(level, message, ''), place)
}
