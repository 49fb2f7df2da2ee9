import type { System } from '../../machine/system/system.ts'
import type { FactValues } from '../facts/fact.ts'
import { instancesOf } from '../resources/instances.ts'
import { ManagedResource } from '../resources/managed-resource.ts'
import { mustRun, type Seen, type Services } from '../resources/provider.ts'
import { defaultProvider, namedProvider } from '../resources/providers.ts'
import { type GivenValues, namevarOf, type TypeDefinition } from '../resources/type.ts'

/** A resource with its present state on the system. */
export interface FoundResource {
  readonly type: TypeDefinition
  readonly title: string
  readonly provider: string
  readonly seen: Seen
  /** Declared or default values of parameters. */
  readonly parameters?: Seen
}

/** Reads the present state of a resource with the given values; undefined if no provider here can manage its type. */
export async function inspectResource(
  type: TypeDefinition,
  title: string,
  system: System,
  facts: FactValues,
  given: GivenValues = new Map(),
): Promise<FoundResource | undefined> {
  const services = servicesFor(system, facts)
  const named = given.get('provider')
  const provider =
    named === undefined ? await defaultProvider(type.name, services) : await namedProvider(type.name, String(named))
  if (!provider) return undefined
  const resource = new ManagedResource(type, { title, values: new Map([...given, ['audit', ['all']]]) })
  resource.provider = provider
  resource.parse()
  const isParameter = (name: string) => type.attributes[name]?.role === 'parameter' && name !== namevarOf(type)
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
    run: (...command) => mustRun(system, resource, command),
    runWith: (options, ...command) => mustRun(system, resource, command, options),
  })
  return { type, title, provider: provider.name, seen, parameters }
}

/** The name of a type's default provider on this machine. */
export async function defaultProviderOf(type: string, system: System, facts: FactValues): Promise<string | undefined> {
  return (await defaultProvider(type, servicesFor(system, facts)))?.name
}

/** Lists the resources of a type that this machine's providers can list, sorted by name. */
export async function listResources(
  type: TypeDefinition,
  system: System,
  facts: FactValues,
): Promise<readonly FoundResource[]> {
  const found = await instancesOf(type.name, servicesFor(system, facts))
  return found
    .map(({ provider, seen: { name, ...seen } }) => ({ type, title: name, provider: provider?.name ?? '', seen }))
    .sort((a, b) => (a.title < b.title ? -1 : 1))
}

/** The resource in Puppet's language, as printed by `puppet resource`, including the `wanted` parameters. */
export function manifestOf(found: FoundResource, wanted: readonly string[] = []): string {
  const shown = [...shownValues(found, wanted)]
  const width = Math.max(0, ...shown.map(([name]) => name.length))
  const rows = shown.map(([name, value]) => `  ${name.padEnd(width)} => ${literal(value)},\n`)
  return `${found.type.name} { '${found.title.replaceAll("'", "\\'")}':\n${rows.join('')}}\n`
}

/** The displayed values of a resource: `ensure` first, the others in alphabetical order. */
export function shownValues(
  { type, provider, seen, parameters = {} }: FoundResource,
  wanted: readonly string[] = [],
): ReadonlyMap<string, unknown> {
  const state = seen['ensure'] === 'absent' ? { ensure: 'absent' } : seen
  const present = type.providesItself ? state : { ...state, provider }
  const more = wanted.flatMap((name) => (Object.hasOwn(parameters, name) ? [[name, parameters[name]] as const] : []))
  const values: Record<string, unknown> = { ...present, ...Object.fromEntries(more) }
  const names = Object.keys(values)
    .filter((name) => isShown(type, name, values[name]))
    .sort((a, b) => Number(b === 'ensure') - Number(a === 'ensure') || (a < b ? -1 : 1))
  return new Map(names.map((name) => [name, name === 'mode' ? String(values[name]).padStart(4, '0') : values[name]]))
}

function isShown(type: TypeDefinition, name: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return false
  if (name !== 'ensure' && (value === 'absent' || value === 'notlink')) return false
  return Object.hasOwn(type.attributes, name) && name !== namevarOf(type)
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => literal(each)).join(', ')}]`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `'${String(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function servicesFor(system: System, facts: FactValues): Services {
  const nowhere = async () => undefined
  return {
    system,
    facts,
    sources: { metadata: nowhere, search: nowhere, content: async () => new Uint8Array() },
    buckets: { backup: nowhere },
    settings: { show_diff: false, digest_algorithm: 'sha256' },
    catalog: {
      environment: '',
      metadata: new Map(),
      recursiveMetadata: new Map(),
      find: () => undefined,
      ofType: () => [],
    },
    instances: async () => [],
  }
}
