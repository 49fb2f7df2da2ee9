import { anything, oneOf, text } from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineType, ensurable, namevar, parameter, property } from '../type.ts'

/** Modules of the SELinux policy. */
export const selmodule = defineType('selmodule', {
  doc: 'Manages loading and unloading of SELinux policy modules on the system. Requires SELinux support.',
  attributes: {
    ensure: ensurable('`present` loads the module, `absent` unloads it.'),
    syncversion: property(
      oneOf('true', 'false'),
      'If true, the module is reloaded if its file has a different version.',
    ),
    name: namevar(text, 'The name of the module, without `.pp`.'),
    selmoduledir: parameter(text, 'The directory of module files.', { default: '/usr/share/selinux/targeted' }),
    selmodulepath: parameter(text, 'The path of the module file, if it is not in `selmoduledir`.'),
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
