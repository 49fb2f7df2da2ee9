import {
  changeRegistry,
  hasRegistryKey,
  readRegistryKey,
  readRegistryTree,
  removeRegistryKey,
} from '../../../../machine/registry/registry.ts'
import { failWithMessage } from '../../issues.ts'
import { type AnyResource, ManagedResource } from '../../managed-resource.ts'
import { defineProvider, type ProviderWork } from '../../provider.ts'
import { listResourceTags } from '../../resource-tags.ts'
import { type RegistryKeyAttributes, registryKey } from '../../types/registry-key.ts'
import {
  joinValuePath,
  parseRegistryKeyPath,
  parseRegistryValuePath,
  type RegistryKeyPath,
} from '../../types/registry-path.ts'
import { registryValue } from '../../types/registry-value.ts'

type KeyWork = ProviderWork<RegistryKeyAttributes, undefined>

/** The provider of `registry_key`. */
export const registryKeyRegistry = defineProvider<RegistryKeyAttributes>(registryKey, 'registry', {
  doc: 'Manages keys with reg.exe.',
  suitable: { facts: { kernel: ['windows'] } },
  defaultFor: { kernel: ['windows'] },
  async read({ resource, system }) {
    const { key, view } = getPath(resource)
    return { ensure: (await hasRegistryKey(system, key, view)) ? 'present' : 'absent' }
  },
  async create({ resource, system }) {
    const { key, view } = getPath(resource)
    await changeRegistry(system, [{ key }], view)
  },
  async remove({ resource, system }) {
    const { key, view, canonical } = getPath(resource)
    const [root = '', ...names] = key.split('\\')
    if (names.length === 0) failWithMessage(`Cannot delete root key: ${canonical}`)
    // The module removes no subkeys. Windows reports this as a denied access.
    if ((await readRegistryTree(system, key, view)).length > 1) {
      failWithMessage(`Failed to delete registry key ${names.join('\\')} at ${root}:  Access is denied.`)
    }
    await removeRegistryKey(system, key, view)
  },
  children: purgeValues,
  list: async () => ['hkcr', 'hklm', 'hku'].map((name) => ({ name, ensure: 'present' })),
})

function getPath({ name }: AnyResource): RegistryKeyPath {
  const path = parseRegistryKeyPath(name)
  return typeof path === 'string' ? failWithMessage(path) : path
}

/** Resources that remove the values that the catalog does not contain. */
async function purgeValues({ resource, system, catalog }: KeyWork): Promise<readonly AnyResource[]> {
  if (!resource.get('purge_values')) return []
  const path = getPath(resource)
  const managed = new Set<string>()
  for (const { name } of catalog.ofType('registry_value')) {
    const value = parseRegistryValuePath(name)
    if (typeof value === 'string' || value.view !== path.view) continue
    if (value.key.toLowerCase() === path.key.toLowerCase()) managed.add(value.valueName.toLowerCase())
  }
  const { values = [] } = (await readRegistryKey(system, path.key, path.view)) ?? {}
  const { loadProviders } = await import('../../providers.ts')
  const [provider] = await loadProviders('registry_value')
  return values
    .filter(({ name }) => !managed.has(name.toLowerCase()))
    .map(({ name }) => {
      const title = joinValuePath(path.canonical, name)
      const tags = listResourceTags('registry_value', title)
      const made: AnyResource = new ManagedResource(registryValue, {
        title,
        tags,
        values: new Map([['ensure', 'absent']]),
      })
      made.provider = provider
      made.parse()
      return made
    })
}
