import { type AnyProvider, type Instance, isSuitable, type ProviderServices } from './provider.ts'
import { loadProviders, selectDefaultProvider } from './providers.ts'
import { types } from './types.ts'

/** Types that Puppet cannot list, because they have no instances or too many. */
const unlisted = ['exec', 'file', 'schedule', 'tidy']

/** All resources of a type that this machine's providers can list, the best provider's resources first. */
export async function listInstances(name: string, services: ProviderServices): Promise<readonly Instance[]> {
  const type = types.get(name)
  const known = await findListingProviders(name)
  if (!type || known.length === 0) return []
  const best = await selectDefaultProvider(name, services)
  const found = new Map<string, Instance>()
  for (const provider of [best, ...known].filter((each): each is AnyProvider => each !== undefined)) {
    if (!(await isSuitable(provider, services))) continue
    if (!provider.list)
      throw new Error(
        `To support listing resources of this type the '${provider.name}' provider needs to implement an 'instances' class method returning the current set of resources. We recommend porting your module to the simpler Resource API instead: https://puppet.com/search/docs?keys=resource+api`,
      )
    for (const seen of await provider.list(services))
      if (!found.has(seen.name)) found.set(seen.name, { type, provider, seen })
  }
  return [...found.values()]
}

/** Providers that can list resources of a type; empty for an unlisted type. Throws if the type has no provider. */
export async function findListingProviders(name: string): Promise<readonly AnyProvider[]> {
  if (!types.has(name) || unlisted.includes(name)) return []
  const known = await loadProviders(name)
  if (known.length === 0 || types.get(name)?.providesItself)
    throw new Error(`${name} has no providers and has not overridden 'instances'`)
  return known
}
