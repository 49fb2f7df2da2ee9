import { anything, oneOf, text } from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineType, ensurable, namevar, parameter, property } from '../type.ts'

/** Modules of the SELinux policy. */
export const selmodule = defineType('selmodule', {
  doc: 'Manages loading and unloading of SELinux policy modules on the system. Requires SELinux support.',
  attributes: {
    ensure: ensurable('Whether the module is loaded.'),
    syncversion: property(
      oneOf('true', 'false'),
      'Whether the module is loaded anew when its file has another version.',
    ),
    name: namevar(text, 'The name of the module, without `.pp`.'),
    selmoduledir: parameter(text, 'The folder of module files.', { default: '/usr/share/selinux/targeted' }),
    selmodulepath: parameter(text, 'The file of the module, where it is not in the folder.'),
    provider: parameter(anything, 'The backend.'),
  },
  autorequire: { file: (resource) => [moduleFile(resource)] },
})

/** Attributes of the type `selmodule`. */
type SelmoduleAttributes = {
  readonly [Name in 'selmodulepath' | 'selmoduledir']: ReturnType<typeof parameter<string>>
}

/** The file of a policy module. */
export function moduleFile(resource: Pick<ManagedResource<SelmoduleAttributes>, 'get' | 'name'>): string {
  return resource.get('selmodulepath') ?? `${resource.get('selmoduledir')}/${resource.name}.pp`
}
