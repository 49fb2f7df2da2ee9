import { PuppetError } from '../../../../base/issue.ts'
import type { Value } from '../../../../language/values/value.ts'
import { listDeclaredMetaparameters } from '../../declared-metaparameters.ts'
import { type AnyResource, ManagedResource } from '../../managed-resource.ts'
import { defineProvider, type Instance, type ProviderDefinition, type ProviderWork } from '../../provider.ts'
import { listResourceTags } from '../../resource-tags.ts'
import type { NativeTypeDefinition } from '../../type.ts'
import { type ResourcesAttributes, resourcesType } from '../../types/resources.ts'
import { types } from '../../types.ts'

type PurgeWork = ProviderWork<ResourcesAttributes, undefined>

/** Users that are never purged, regardless of their UID. */
const systemUsers = ['root', 'nobody', 'bin', 'noaccess', 'daemon', 'sys']

/** Administrator, Guest and administrators of a domain, as SIDs. Puppet: type/resources.rb */
const systemSid = /^S-1-5-21-.+-(?:500|501|512|518|519)$/

/** Highest UID of system users, if the machine does not define it. */
const usualLimit = 499

/**
 * Defines the provider of `resources` for the given types: it purges resources that are missing
 * from the catalog.
 */
export function definePurgeProvider(known: {
  get(name: string): NativeTypeDefinition | undefined
}): ProviderDefinition<ResourcesAttributes, undefined> {
  return defineProvider<ResourcesAttributes>(resourcesType, 'purge', {
    doc: 'Generates a resource with `ensure => absent` for each unmanaged instance of the type.',
    validate(resource) {
      const type = known.get(resource.name)
      if (!type) return resource.failAttribute('name', `Could not find resource type '${resource.name}'`)
      if (resource.get('purge') === true && !('ensure' in type.attributes))
        resource.failAttribute('purge', "Purging is only supported on types that accept 'ensure'")
    },
    read: async () => ({}),
    generate: generateAbsentResources,
  })
}

/**
 * The provider of `resources`, which purges resources of built-in types that are missing from the
 * catalog.
 */
export const purge = definePurgeProvider(types)

async function generateAbsentResources(work: PurgeWork): Promise<readonly AnyResource[]> {
  const { resource, catalog } = work
  if (!resource.get('purge')) return []
  const managed = catalog.ofType(resource.name).map(({ name }) => name)
  const found = (await work.instances(resource.name)).filter(
    ({ seen, provider }) =>
      !catalog.find(resource.name, seen.name) && (provider?.canPurge?.(seen.name, managed) ?? true),
  )
  const goes = await createUserCheck(work)
  const made: AnyResource[] = []
  for (const instance of found.filter(goes ?? (() => true))) {
    const removal = await createAbsentResource(work, instance, goes !== undefined)
    if (removal) made.push(removal)
  }
  return made
}

/**
 * Returns a function that is true for users that may be purged; undefined if system users may be
 * purged, too.
 */
async function createUserCheck({
  resource,
  system,
  facts,
}: PurgeWork): Promise<((instance: Instance) => boolean) | undefined> {
  const given = resource.get('unless_system_user')
  if (resource.name !== 'user' || given === undefined || given === false) return undefined
  const limit = given === true ? parseSystemUidLimit(await system.files.readText('/etc/login.defs')) : given
  const stays = resource.get('unless_uid') ?? []
  return ({ seen }) => {
    if (facts['kernel'] === 'windows')
      return typeof seen['uid'] === 'string' && !systemSid.test(seen['uid']) && !systemUsers.includes(seen.name)
    const uid = Number(seen['uid'])
    return !systemUsers.includes(seen.name) && !stays.includes(uid) && uid > limit
  }
}

function parseSystemUidLimit(loginDefs = ''): number {
  const [, least] = /^[ \t]*UID_MIN[ \t]+(\d+)[ \t]*(?:#.*)?$/m.exec(loginDefs) ?? []
  return least === undefined ? usualLimit : Number(least) - 1
}

/**
 * A resource with `ensure => absent` for the instance; undefined, with a logged error, if its type
 * rejects `absent`.
 */
async function createAbsentResource(
  { resource, log }: PurgeWork,
  { type, provider, seen, prepareRemoval }: Instance,
  wasChecked: boolean,
): Promise<AnyResource | undefined> {
  // A check of the UID is recorded as an audit of `uid`.
  const watched: [string, Value][] = wasChecked ? [['audit', 'uid']] : []
  const values = new Map<string, Value>([...watched, ...listDeclaredMetaparameters(resource), ['ensure', 'absent']])
  const made: AnyResource = new ManagedResource(type, {
    title: seen.name,
    tags: listResourceTags(type.name, seen.name),
    values,
  })
  made.provider = provider
  try {
    if ((await prepareRemoval?.(made)) !== false) {
      made.parse()
      return made
    }
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
  }
  log('err', `The 'ensure' attribute on ${resource.name} resources does not accept 'absent' as a value`)
  return undefined
}
