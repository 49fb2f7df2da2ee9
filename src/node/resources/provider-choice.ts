import { issues } from './issues.ts'
import type { AnyResource } from './managed-resource.ts'
import { isProviderElsewhere } from './other-providers.ts'
import { type AnyProvider, isSuitable, type Services } from './provider.ts'
import { defaultProvider, namedProvider } from './providers.ts'

/** The choice of providers for the resources of one run; a provider may become suitable while the run goes on. */
export class ProviderChoice {
  readonly #services: Services
  readonly #defaults = new Map<string, AnyProvider>()
  readonly #suitable = new Set<AnyProvider>()

  constructor(services: Services) {
    this.#services = services
  }

  /** The provider that a resource names, or the best of its type that can work by now. */
  async choose(resource: AnyResource): Promise<AnyProvider | undefined> {
    const { type, given } = resource
    if (type.ownProviders) return type.ownProviders.choose(resource)
    const wish = given.get('provider')
    if (wish !== undefined) return namedProvider(type.name, String(wish))
    const found = this.#defaults.get(type.name) ?? (await defaultProvider(type.name, this.#services))
    if (found) this.#defaults.set(type.name, found)
    return found
  }

  /** True for a resource whose provider can work by now; the resource has that provider then. */
  async canWork(resource: AnyResource): Promise<boolean> {
    if (resource.type.ownProviders) return resource.type.ownProviders.canWork(resource)
    resource.provider ??= await this.choose(resource)
    const { provider } = resource
    if (provider === undefined) return false
    if (!this.#suitable.has(provider) && (await isSuitable(provider, this.#services))) this.#suitable.add(provider)
    return this.#suitable.has(provider)
  }
}

/** The complaint about a provider that the resource names and that there is not. */
export async function missingProvider(resource: AnyResource): Promise<string | undefined> {
  const { type, given, reference } = resource
  const provider = String(given.get('provider') ?? '')
  if (provider === '' || type.passive || type.ownProviders) return undefined
  if (await namedProvider(type.name, provider)) return undefined
  if (isProviderElsewhere(type.name, provider)) return undefined
  const why = issues.INVALID_PROVIDER.text({ type: type.name, provider })
  return `${issues.BAD_ATTRIBUTE.text({ name: 'provider', reference, why })}${resource.place()}`
}
