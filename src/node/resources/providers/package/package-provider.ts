import { formatError } from '../../../../language/ruby-semantics/errno.ts'
import { failWithMessage } from '../../issues.ts'
import type { ManagedResource } from '../../managed-resource.ts'
import {
  defineProvider,
  type PropertyValues,
  type ProviderDefinition,
  type ProviderServices,
  type ProviderWork,
  type RunLog,
} from '../../provider.ts'
import { packageType } from '../../types/package.ts'
import { formatLogValue } from '../../value-format.ts'
import { withPackageEnvironment } from './package-environment.ts'

/** Attributes of the type `package`. */
export type PackageAttributes = (typeof packageType)['attributes']

/** State of one package between calls. */
export interface PackageState {
  /** State of the package, from the list of packages or from a query. */
  seen?: PropertyValues
  /** The newest available version, once queried. */
  latest?: string | undefined
}

/** The argument of a package provider's functions: one package with its state. */
export type PackageWork = ProviderWork<PackageAttributes, PackageState>

/** A package installed on this machine. */
export type FoundPackage = PropertyValues & { readonly name: string }

/** A package manager: the functions that differ between package providers. */
export interface PackageManager
  extends Pick<
    ProviderDefinition<PackageAttributes, PackageState>,
    | 'doc'
    | 'suitable'
    | 'onlyByName'
    | 'defaultFor'
    | 'notDefaultFor'
    | 'features'
    | 'validate'
    | 'set'
    | 'inSync'
    | 'flush'
  > {
  /** Lists all packages; with `command`, the packages that this program lists. */
  list(services: ProviderServices, log: RunLog, command?: string): Promise<readonly FoundPackage[]>
  /** Queries one package; undefined if it is not installed. */
  query(work: PackageWork): Promise<PropertyValues | undefined>
  /** Installs the package in the desired version. */
  install(work: PackageWork, should: string): Promise<void>
  /** Installs the newest version; default: `install`. */
  update?(work: PackageWork): Promise<void>
  uninstall(work: PackageWork): Promise<void>
  purge?(work: PackageWork): Promise<void>
  disable?(work: PackageWork): Promise<void>
  latest?(work: PackageWork): Promise<string | undefined>
  /** True if an installed version equals the desired one in another notation. */
  fits?(work: PackageWork, is: string | readonly string[], should: string): Promise<boolean> | boolean
}

/** Declares a package provider, with the behavior common to all package managers (Puppet: type/package.rb). */
export function definePackageProvider(
  name: string,
  manager: PackageManager,
): ProviderDefinition<PackageAttributes, PackageState> {
  const { doc, suitable, onlyByName, defaultFor, notDefaultFor, features = [], validate, set, inSync, flush } = manager
  return defineProvider<PackageAttributes, PackageState>(packageType, name, {
    doc,
    ...(suitable && { suitable }),
    ...(onlyByName && { onlyByName }),
    ...(defaultFor && { defaultFor }),
    ...(notDefaultFor && { notDefaultFor }),
    ...(validate && { validate }),
    ...(flush && { flush }),
    features,
    begin: () => ({}),
    prefetch: (services, resources, log) => prefetchStates(manager, services, resources, log),
    async read(work) {
      work.state.seen ??= (await manager.query(work)) ?? { ensure: getMissingState(manager) }
      return work.state.seen
    },
    inSync: { ensure: (work, is, choices) => isInSync(manager, work, is, choices), ...inSync },
    set: {
      async ensure(work, should: string) {
        await changePackage(manager, withPackageEnvironment(work), should)
        delete work.state.seen
      },
      ...set,
    },
    show: { ensure: ({ state }, value) => formatLogValue(value === 'latest' ? (state.latest ?? value) : value) },
    changeText: { ensure: formatChange },
    eventNames: { ensure: getEventName },
    // A refresh changes nothing, but is reported as a refresh.
    refresh: async () => {},
    list: (services) => manager.list(services, () => {}),
  })
}

/** The state of a missing package: `purged` if the provider can purge (Puppet: provider/package.rb). */
function getMissingState({ features = [] }: PackageManager): string {
  return features.includes('purgeable') ? 'purged' : 'absent'
}

async function prefetchStates(
  manager: PackageManager,
  services: ProviderServices,
  resources: readonly ManagedResource<PackageAttributes>[],
  log: RunLog,
): Promise<(resource: ManagedResource<PackageAttributes>) => PackageState> {
  const byCommand = new Map<string | undefined, ReadonlyMap<string, FoundPackage>>()
  const isTargetable = manager.features?.includes('targetable') === true
  const getCommand = (resource: ManagedResource<PackageAttributes>) =>
    isTargetable ? resource.get('command') : undefined
  for (const command of new Set(resources.map(getCommand)))
    byCommand.set(command, new Map((await manager.list(services, log, command)).map((each) => [each.name, each])))
  return (resource) => {
    const seen = byCommand.get(getCommand(resource))?.get(resource.name)
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
      const latest = await readLatestVersion(manager, work)
      if (versions.includes(latest) || is === 'present') return true
    } else if (should === 'absent') {
      if (isGone) return true
    } else if (versions.includes(should)) return true
    // The provider compares the first alternative that is a version.
    else if (should !== 'purged') return (await manager.fits?.(work, is as string, should)) ?? false
  }
  return false
}

async function readLatestVersion(manager: PackageManager, work: PackageWork): Promise<string | undefined> {
  try {
    work.state.latest ??= await manager.latest?.(work)
    return work.state.latest
  } catch (error) {
    return failWithMessage(`Could not get latest version: ${formatError(error)}`)
  }
}

async function changePackage(manager: PackageManager, work: PackageWork, should: string): Promise<void> {
  const { disable, purge, update = (each) => manager.install(each, 'latest') } = manager
  if (should === 'present') return manager.install(work, should)
  if (should === 'absent') return manager.uninstall(work)
  if (should === 'purged') return purge?.(work)
  if (should === 'disabled') return disable?.(work)
  try {
    if (should === 'latest') await update(work)
    else await manager.install(work, should)
  } catch (error) {
    failWithMessage(`Could not update: ${formatError(error)}`)
  }
}

function getEventName(should: unknown): string | undefined {
  if (should === 'present') return 'package_installed'
  if (should === 'absent') return 'package_removed'
  return should === 'purged' ? 'package_purged' : undefined
}

/** The message of a change: `created`, `purged`, `removed`, or the old and the new version. */
function formatChange({ resource }: PackageWork, is: unknown): string | undefined {
  const should = resource.get('ensure')
  if (should === 'purged') return 'purged'
  if ((is === 'absent' || is === 'purged') && should !== 'absent') return 'created'
  return undefined
}
