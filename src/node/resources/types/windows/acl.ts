import { normalizePath } from '../../../../machine/windows/machine-path.ts'
import { createEnumKind, createParsedKind, toPlainText } from '../../attribute-kinds.ts'
import { failWithMessage } from '../../issues.ts'
import type { AnyResource } from '../../managed-resource.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../../type.ts'
import { type AclPermission, permissionsKind } from './acl-permission.ts'

const createTextKind = (name: string) =>
  createParsedKind((value): string => toPlainText(value) || failWithMessage(`A non-empty ${name} must be specified.`))

const inheritance = 'can_inherit_parent_permissions'

/** The resource type `acl` of the module acl: access lists of files and folders. */
export const acl = defineType('acl', {
  doc: 'Manages the access list of a file or folder on Windows, with its owner and group.',
  features: {
    ace_order_required: 'The order of the entries of an access list matters.',
    [inheritance]: 'The list can inherit entries from the folder above.',
  },
  attributes: {
    name: defineNamevar(createTextKind('name'), 'The name of the resource; by default the path of the target.'),
    target: defineParameter(createTextKind('target'), 'The absolute path of a file or folder that exists.', {
      default: ({ name }) => name,
    }),
    target_type: defineParameter(createEnumKind('file'), 'The kind of the target: `file`, which includes folders.', {
      default: 'file',
    }),
    purge: defineParameter(
      createEnumKind('true', 'false', 'listed_permissions'),
      '`true` removes the entries that are not in `permissions`, `listed_permissions` removes those that are; inherited entries stay.',
      { default: 'false' },
    ),
    permissions: defineProperty(
      permissionsKind,
      'Entries of the list, in their order: hashes with `identity`, `rights`, `perm_type`, `child_types`, `affects` and `mask`.',
    ),
    owner: defineProperty(createTextKind('owner'), 'The owner: a name or a security identifier.'),
    group: defineProperty(createTextKind('group'), 'The group: a name or a security identifier.'),
    inherit_parent_permissions: defineProperty(
      createEnumKind('true', 'false'),
      'If false, inherited entries are copied, and no new ones are inherited.',
      { default: 'true', needs: inheritance },
    ),
  },
  autorequire: {
    file: (resource) => [normalizePath(getAclTarget(resource), true)],
    user: listAccounts,
    group: listAccounts,
  },
  complete(resource) {
    const permissions = resource.get('permissions')
    for (const { warnings } of permissions ?? []) resource.warnings.push(...warnings)
    if (permissions)
      resource.put(
        'permissions',
        permissions.map((each) => ({ ...each, warnings: [] })),
      )
  },
  validate(resource) {
    if (resource.get('permissions')?.length === 0)
      failWithMessage('Value for permissions should be an array with at least one element specified.')
  },
})

/** Attributes of the type `acl`. */
export type AclAttributes = (typeof acl)['attributes']

/** The path whose access list a resource manages. */
export function getAclTarget(resource: AnyResource): string {
  return String(resource.value('target') ?? resource.name)
}

/** The accounts of a resource, as its declaration names them. */
export function listAccounts(resource: AnyResource): readonly string[] {
  const permissions = (resource.get('permissions') ?? []) as readonly AclPermission[]
  const named = [resource.value('owner'), resource.value('group'), ...permissions.map(({ identity }) => identity)]
  return [...new Set(named.flatMap((name) => (name === undefined ? [] : [String(name)])))]
}
