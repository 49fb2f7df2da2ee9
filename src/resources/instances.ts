import { type AnyProvider, type Instance, isSuitable, type Services } from './provider.ts'
import { defaultProvider, providers } from './providers.ts'
import { types } from './types.ts'

/** Types whose things are too many, or none: Puppet lists nothing of them. */
const unlisted = ['exec', 'file', 'notify', 'resources', 'tidy']

/** All things of a type that the providers of this machine know, those of the best provider first. */
export async function instancesOf(name: string, services: Services): Promise<readonly Instance[]> {
  const type = types.get(name)
  if (!type || unlisted.includes(name)) return []
  const known = providers.get(name) ?? []
  if (known.length === 0 || type.providesItself)
    throw new Error(`${name} has no providers and has not overridden 'instances'`)
  const best = await defaultProvider(name, services)
  const found = new Map<string, Instance>()
  for (const provider of [best, ...known].filter((each): each is AnyProvider => each !== undefined)) {
    if (!(await isSuitable(provider, services))) continue
    if (!provider.list) throw new Error(`Provider ${provider.name} has not defined the 'instances' class method`)
    for (const seen of await provider.list(services))
      if (!found.has(seen.name)) found.set(seen.name, { type, provider, seen })
  }
  return [...found.values()]
}
