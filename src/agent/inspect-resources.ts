import type { FactValues } from '../facts/fact.ts'
import { ManagedResource } from '../resources/managed-resource.ts'
import { type AnyProvider, isSuitable, mustRun, type Seen, type Services } from '../resources/provider.ts'
import { defaultProvider, namedProvider, providers } from '../resources/providers.ts'
import { type GivenValues, namevarOf, type TypeDefinition } from '../resources/type.ts'
import type { System } from '../system/system.ts'

/** A thing of the system, as it is. */
export interface FoundResource {
  readonly type: TypeDefinition
  readonly title: string
  readonly provider: string
  readonly seen: Seen
}

/** The present state of a resource that was given with these values; `undefined` when nothing here can manage its type. */
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
    named === undefined ? await defaultProvider(type.name, services) : namedProvider(type.name, String(named))
  if (!provider) return undefined
  const resource = new ManagedResource(type, { title, values: new Map([...given, ['audit', ['all']]]) })
  resource.provider = provider
  resource.parse()
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
  return { type, title, provider: provider.name, seen }
}

/** The name of the provider that a type has here where none is named. */
export async function defaultProviderOf(type: string, system: System, facts: FactValues): Promise<string | undefined> {
  return (await defaultProvider(type, servicesFor(system, facts)))?.name
}

/** All things of a type that the providers of this machine can list, by name. */
export async function listResources(
  type: TypeDefinition,
  system: System,
  facts: FactValues,
): Promise<readonly FoundResource[]> {
  const services = servicesFor(system, facts)
  const best = await defaultProvider(type.name, services)
  const found = new Map<string, FoundResource>()
  const inOrder = [best, ...(providers.get(type.name) ?? [])].filter((each): each is AnyProvider => each !== undefined)
  for (const provider of inOrder) {
    if (!provider.list || !(await isSuitable(provider, services))) continue
    for (const { name, ...seen } of await provider.list(services))
      if (!found.has(name)) found.set(name, { type, title: name, provider: provider.name, seen })
  }
  return [...found.values()].sort((a, b) => (a.title < b.title ? -1 : 1))
}

/** The resource in Puppet's language, as `puppet resource` prints it. */
export function manifestOf({ type, title, provider, seen }: FoundResource): string {
  const values: Record<string, unknown> = seen['ensure'] === 'absent' ? { ensure: 'absent' } : { ...seen, provider }
  const shown = Object.entries(values).filter(([name, value]) => isShown(type, name, value))
  const names = shown
    .map(([name]) => name)
    .sort((a, b) => Number(b === 'ensure') - Number(a === 'ensure') || (a < b ? -1 : 1))
  const width = Math.max(0, ...names.map((name) => name.length))
  const rows = names.map((name) => `  ${name.padEnd(width)} => ${literal(name, values[name])},\n`)
  return `${type.name} { '${title.replaceAll("'", "\\'")}':\n${rows.join('')}}\n`
}

function isShown(type: TypeDefinition, name: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return false
  if (name !== 'ensure' && (value === 'absent' || value === 'notlink')) return false
  return name in type.attributes && name !== namevarOf(type)
}

function literal(name: string, value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((each) => literal(name, each)).join(', ')}]`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = name === 'mode' ? String(value).padStart(4, '0') : String(value)
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
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
