import type { System } from '../../machine/system/system.ts'
import type { FactValues } from '../facts/fact.ts'
import type { GemSettings } from '../gems/configured-gems.ts'
import { listInstances } from '../resources/instances.ts'
import { ManagedResource } from '../resources/managed-resource.ts'
import { type PropertyValues, type ProviderServices, runOrFail } from '../resources/provider.ts'
import { MachineRestart } from '../resources/providers/reboot/machine-restart.ts'
import { findProvider, selectDefaultProvider } from '../resources/providers.ts'
import { type DeclaredValues, getTypeNamevar, type NativeTypeDefinition } from '../resources/type.ts'
import { formatValueCode } from '../resources/value-format.ts'

/** A resource with its present state on the system. */
export interface FoundResource {
  readonly type: NativeTypeDefinition
  readonly title: string
  readonly provider: string
  readonly seen: PropertyValues
  /** Declared or default values of parameters. */
  readonly parameters?: PropertyValues
}

/** Reads the present state of a resource with the given values; undefined if no provider here can manage its type. */
export async function inspectResource(
  type: NativeTypeDefinition,
  title: string,
  system: System,
  facts: FactValues,
  given: DeclaredValues = new Map(),
  gems?: GemSettings,
): Promise<FoundResource | undefined> {
  const services = createInspectionServices(system, facts, gems)
  const named = given.get('provider')
  const provider =
    named === undefined
      ? await selectDefaultProvider(type.name, services)
      : await findProvider(type.name, String(named))
  if (!provider) return undefined
  const resource = new ManagedResource(type, { title, values: new Map([...given, ['audit', ['all']]]) })
  resource.provider = provider
  resource.parse()
  const isParameter = (name: string) => type.attributes[name]?.role === 'parameter' && name !== getTypeNamevar(type)
  const own = [...resource.names()].filter(isParameter)
  const parameters = Object.fromEntries(own.map((name) => [name, resource.value(name)]))
  for (const name of resource.properties()) resource.drop(name)
  const begin = provider.prefetch ? await provider.prefetch(services, [resource], () => {}) : () => provider.begin?.()
  const seen = await provider.read({
    ...services,
    resource,
    state: begin(resource),
    noop: true,
    log: () => {},
    logAs: () => {},
    run: (...command) => runOrFail(system, resource, command, { merged: true }),
    runWith: (options, ...command) => runOrFail(system, resource, command, options),
  })
  return { type, title, provider: provider.name, seen, parameters }
}

/** The name of a type's default provider on this machine. */
export async function findDefaultProvider(
  type: string,
  system: System,
  facts: FactValues,
): Promise<string | undefined> {
  return (await selectDefaultProvider(type, createInspectionServices(system, facts)))?.name
}

/** Lists the resources of a type that this machine's providers can list, sorted by name. */
export async function listResources(
  type: NativeTypeDefinition,
  system: System,
  facts: FactValues,
  gems?: GemSettings,
): Promise<readonly FoundResource[]> {
  const found = await listInstances(type.name, createInspectionServices(system, facts, gems))
  return found
    .map(({ provider, seen: { name, ...seen } }) => ({ type, title: name, provider: provider?.name ?? '', seen }))
    .sort((a, b) => (a.title < b.title ? -1 : 1))
}

/** The resource in Puppet's language, as printed by `puppet resource`, including the `wanted` parameters. */
export function formatResourceManifest(found: FoundResource, wanted: readonly string[] = []): string {
  const shown = [...listDisplayedValues(found, wanted)]
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  const rows = shown.map(([name, value]) => `  ${name.padEnd(width)} => ${formatValueCode(value)},\n`)
  return `${found.type.name} { '${found.title.replaceAll("'", "\\'")}':\n${rows.join('')}}\n`
}

/**
 * The displayed values of a resource: `ensure` first, then the other values in alphabetical order.
 */
export function listDisplayedValues(
  { type, provider, seen, parameters = {} }: FoundResource,
  wanted: readonly string[] = [],
): ReadonlyMap<string, unknown> {
  const state = seen['ensure'] === 'absent' ? { ensure: 'absent' } : seen
  const present = type.providesItself ? state : { ...state, provider }
  const more = wanted.flatMap((name) => (Object.hasOwn(parameters, name) ? [[name, parameters[name]] as const] : []))
  const values: Record<string, unknown> = { ...present, ...Object.fromEntries(more) }
  const names = Object.keys(values)
    .filter((name) => isDisplayed(type, name, values[name]))
    .sort((a, b) => Number(b === 'ensure') - Number(a === 'ensure') || (a < b ? -1 : 1))
  return new Map(names.map((name) => [name, name === 'mode' ? String(values[name]).padStart(4, '0') : values[name]]))
}

function isDisplayed(type: NativeTypeDefinition, name: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return false
  if (name !== 'ensure' && (value === 'absent' || value === 'notlink')) return false
  return Object.hasOwn(type.attributes, name) && name !== getTypeNamevar(type)
}

function createInspectionServices(system: System, facts: FactValues, gems?: GemSettings): ProviderServices {
  const findNothing = async () => undefined
  return {
    system,
    facts,
    gems,
    sources: { metadata: findNothing, search: findNothing, content: async () => new Uint8Array() },
    buckets: { backup: findNothing },
    settings: { show_diff: false, digest_algorithm: 'sha256', compatibility: 'puppet8' },
    catalog: {
      environment: '',
      metadata: new Map(),
      recursiveMetadata: new Map(),
      find: () => undefined,
      ofType: () => [],
    },
    restart: new MachineRestart(),
    instances: async () => [],
  }
}
