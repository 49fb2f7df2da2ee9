import { issues } from './issues.ts'
import type { AnyResource } from './managed-resource.ts'
import { type AnyProvider, isSuitable, type ProviderServices } from './provider.ts'
import { findProvider, selectDefaultProvider } from './providers.ts'
import { isUnsupportedProvider } from './unsupported-providers.ts'

/** Chooses providers for the resources of a run. A provider can become suitable during the run. */
export class ProviderChoice {
  readonly #services: ProviderServices
  readonly #defaults = new Map<string, AnyProvider>()
  readonly #suitable = new Set<AnyProvider>()

  constructor(services: ProviderServices) {
    this.#services = services
  }

  /** The provider named by the resource, or the best suitable provider of its type. */
  async choose(resource: AnyResource): Promise<AnyProvider | undefined> {
    const { type, given } = resource
    if (type.ownProviders) return type.ownProviders.choose(resource)
    const wish = given.get('provider')
    if (wish !== undefined) return findProvider(type.name, String(wish))
    const found = this.#defaults.get(type.name) ?? (await selectDefaultProvider(type.name, this.#services))
    if (found) this.#defaults.set(type.name, found)
    return found
  }

  /** True if a provider is suitable by now; it is then assigned to the resource. */
  async canWork(resource: AnyResource): Promise<boolean> {
    if (resource.type.ownProviders) return resource.type.ownProviders.canWork(resource)
    resource.provider ??= await this.choose(resource)
    const { provider } = resource
    if (provider === undefined) return false
    if (!this.#suitable.has(provider) && (await isSuitable(provider, this.#services))) this.#suitable.add(provider)
    return this.#suitable.has(provider)
  }
}

/** The error message if the resource names a provider that does not exist. */
export async function describeMissingProvider(resource: AnyResource): Promise<string | undefined> {
  const { type, given, reference } = resource
  const provider = String(given.get('provider') ?? '')
  if (provider === '' || type.passive || type.ownProviders) return undefined
  if (await findProvider(type.name, provider)) return undefined
  if (isUnsupportedProvider(type.name, provider)) return undefined
  const why = issues.INVALID_PROVIDER.text({ type: type.name, provider })
  return `${issues.BAD_ATTRIBUTE.text({ name: 'provider', reference, why })}${resource.place()}`
}
