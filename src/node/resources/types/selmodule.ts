import { anyKind, createEnumKind, textKind } from '../attribute-kinds.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineEnsure, defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

/** The resource type `selmodule`: modules of the SELinux policy. */
export const selmodule = defineType('selmodule', {
  doc: 'Manages loading and unloading of SELinux policy modules on the system. Requires SELinux support.',
  attributes: {
    ensure: defineEnsure('`present` loads the module, `absent` unloads it.'),
    syncversion: defineProperty(
      createEnumKind('true', 'false'),
      'If true, the module is reloaded if its file has a different version.',
    ),
    name: defineNamevar(textKind, 'The name of the module, without `.pp`.'),
    selmoduledir: defineParameter(textKind, 'The directory of module files.', {
      default: '/usr/share/selinux/targeted',
    }),
    selmodulepath: defineParameter(textKind, 'The path of the module file, if it is not in `selmoduledir`.'),
    provider: defineParameter(anyKind, 'The backend.'),
  },
  autorequire: { file: (resource) => [getModuleFile(resource)] },
})

/** Attributes of the type `selmodule`. */
type SelmoduleAttributes = {
  readonly [Name in 'selmodulepath' | 'selmoduledir']: ReturnType<typeof defineParameter<string>>
}

/** The file of a policy module. */
export function getModuleFile(resource: Pick<ManagedResource<SelmoduleAttributes>, 'get' | 'name'>): string {
  return resource.get('selmodulepath') ?? `${resource.get('selmoduledir')}/${resource.name}.pp`
}
