import { errorText } from '../../../../language/ruby-semantics/errno.ts'
import { display } from '../../display.ts'
import { complain } from '../../issues.ts'
import type { ManagedResource } from '../../managed-resource.ts'
import {
  defineProvider,
  type ProviderDefinition,
  type RunLog,
  type Seen,
  type Services,
  type Work,
} from '../../provider.ts'
import { packageType } from '../../types/package.ts'

/** Attributes of the type `package`. */
export type PackageAttributes = (typeof packageType)['attributes']

/** Knowledge of one package between the calls. */
export interface PackageState {
  /** As it was when all packages were listed, or as it was asked for since. */
  seen?: Seen
  /** The newest version that there is, once it was asked for. */
  latest?: string | undefined
}

/** Work on one package. */
export type PackageWork = Work<PackageAttributes, PackageState>

/** A package of this machine. */
export type FoundPackage = Seen & { readonly name: string }

/** A package manager: its own part of a provider. */
export interface PackageManager
  extends Pick<
    ProviderDefinition<PackageAttributes, PackageState>,
    'doc' | 'suitable' | 'defaultFor' | 'notDefaultFor' | 'features' | 'validate' | 'set' | 'inSync' | 'flush'
  > {
  /** All packages; those of a command, where the manager can be told which. */
  list(services: Services, log: RunLog, command?: string): Promise<readonly FoundPackage[]>
  /** One package; `undefined` where there is none of that name. */
  query(work: PackageWork): Promise<Seen | undefined>
  /** Brings the package, in the version that is wanted. */
  install(work: PackageWork, should: string): Promise<void>
  /** Brings the newest version; `install` unless given. */
  update?(work: PackageWork): Promise<void>
  uninstall(work: PackageWork): Promise<void>
  purge?(work: PackageWork): Promise<void>
  disable?(work: PackageWork): Promise<void>
  latest?(work: PackageWork): Promise<string | undefined>
  /** True when an installed version is one that is wanted, though it is written in another way. */
  fits?(work: PackageWork, is: string | readonly string[], should: string): Promise<boolean> | boolean
}

/** Declares a provider of packages: what all package managers have in common (Puppet: type/package.rb). */
export function packageProvider(
  name: string,
  manager: PackageManager,
): ProviderDefinition<PackageAttributes, PackageState> {
  const { doc, suitable, defaultFor, notDefaultFor, features = [], validate, set, inSync, flush } = manager
  return defineProvider<PackageAttributes, PackageState>(packageType, name, {
    doc,
    ...(suitable && { suitable }),
    ...(defaultFor && { defaultFor }),
    ...(notDefaultFor && { notDefaultFor }),
    ...(validate && { validate }),
    ...(flush && { flush }),
    features,
    begin: () => ({}),
    prefetch: (services, resources, log) => prefetched(manager, services, resources, log),
    async read(work) {
      work.state.seen ??= (await manager.query(work)) ?? { ensure: noneOf(manager) }
      return work.state.seen
    },
    inSync: { ensure: (work, is, choices) => isInSync(manager, work, is, choices), ...inSync },
    set: {
      async ensure(work, should: string) {
        await change(manager, work, should)
        delete work.state.seen
      },
      ...set,
    },
    show: { ensure: ({ state }, value) => display(value === 'latest' ? (state.latest ?? value) : value) },
    changeText: { ensure: changeText },
    eventNames: { ensure: eventName },
    // A refresh comes to nothing, and is a refresh all the same.
    refresh: async () => {},
    list: (services) => manager.list(services, () => {}),
  })
}

/** The state of a package that is not there: gone for good where the manager can tell (Puppet: provider/package.rb). */
function noneOf({ features = [] }: PackageManager): string {
  return features.includes('purgeable') ? 'purged' : 'absent'
}

async function prefetched(
  manager: PackageManager,
  services: Services,
  resources: readonly ManagedResource<PackageAttributes>[],
  log: RunLog,
): Promise<(resource: ManagedResource<PackageAttributes>) => PackageState> {
  const byCommand = new Map<string | undefined, ReadonlyMap<string, FoundPackage>>()
  const isTargetable = manager.features?.includes('targetable') === true
  const commandOf = (resource: ManagedResource<PackageAttributes>) =>
    isTargetable ? resource.get('command') : undefined
  for (const command of new Set(resources.map(commandOf)))
    byCommand.set(command, new Map((await manager.list(services, log, command)).map((each) => [each.name, each])))
  return (resource) => {
    const seen = byCommand.get(commandOf(resource))?.get(resource.name)
    return seen ? { seen } : {}
  }
}

async function isInSync(
  manager: PackageManager,
  work: PackageWork,
  is: unknown,
  choices: readonly unknown[],
): Promise<boolean> {
  const isGone = is === 'absent' || is === 'purged'
  const versions = [is].flat()
  for (const should of choices.map(String)) {
    if (should === 'present') {
      if (!isGone && is !== 'disabled') return true
    } else if (should === 'latest') {
      if (isGone) return false
      const latest = await latestOf(manager, work)
      if (versions.includes(latest) || is === 'present') return true
    } else if (should === 'absent') {
      if (isGone) return true
    } else if (versions.includes(should)) return true
    // The manager decides of all choices by the first that is a version.
    else if (should !== 'purged') return (await manager.fits?.(work, is as string, should)) ?? false
  }
  return false
}

async function latestOf(manager: PackageManager, work: PackageWork): Promise<string | undefined> {
  try {
    work.state.latest ??= await manager.latest?.(work)
    return work.state.latest
  } catch (error) {
    return complain(`Could not get latest version: ${errorText(error)}`)
  }
}

async function change(manager: PackageManager, work: PackageWork, should: string): Promise<void> {
  const { disable, purge, update = (each) => manager.install(each, 'latest') } = manager
  if (should === 'present') return manager.install(work, should)
  if (should === 'absent') return manager.uninstall(work)
  if (should === 'purged') return purge?.(work)
  if (should === 'disabled') return disable?.(work)
  try {
    if (should === 'latest') await update(work)
    else await manager.install(work, should)
  } catch (error) {
    complain(`Could not update: ${errorText(error)}`)
  }
}

function eventName(should: unknown): string | undefined {
  if (should === 'present') return 'package_installed'
  if (should === 'absent') return 'package_removed'
  return should === 'purged' ? 'package_purged' : undefined
}

/** `created`, `purged`, `removed`, or from which version to which. */
function changeText({ resource }: PackageWork, is: unknown): string | undefined {
  const should = resource.get('ensure')
  if (should === 'purged') return 'purged'
  if ((is === 'absent' || is === 'purged') && should !== 'absent') return 'created'
  return undefined
}
