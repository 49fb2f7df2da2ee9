import { strictInteger } from '../../../language/ruby-semantics/numbers/number-texts.ts'
import type { Value } from '../../../language/values/value.ts'
import { complain } from '../issues.ts'
import { anything, boolean, failMunging, listOf, oneOf, parsedBy, plain, text } from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineType, namevar, parameter, property } from '../type.ts'

const gid = parsedBy((value: Value): number => {
  const given = String(plain(value))
  if (!/^-?[0-9]+$/.test(given)) complain(`Invalid GID ${given}`)
  return idInText('gid', given)
})

/** Parses an ID like Ruby's `Integer`, where a leading zero means octal. */
export function idInText(name: string, text: string): number {
  const id = strictInteger(text)
  return id === undefined ? failMunging(name, text, `invalid value for Integer(): "${text}"`) : Number(id)
}

/** User groups. */
export const group = defineType('group', {
  doc: 'Manage groups.',
  features: {
    manages_members: 'Membership is an attribute of groups, not of users.',
    manages_aix_lam: 'The provider can manage AIX Loadable Authentication Module (LAM) system.',
    system_groups: 'The provider can create system groups with low GIDs.',
    manages_local_users_and_groups: 'The provider can manage local groups if a remote name service also has groups.',
  },
  attributes: {
    ensure: property(oneOf('present', 'absent'), '`present` creates the group, `absent` removes it.', {
      default: 'present',
    }),
    gid: property(gid, 'The group ID. Default: the system selects it.'),
    members: property(listOf(text), 'The members of the group.', { needs: 'manages_members' }),
    auth_membership: parameter(boolean, 'If true, other members are removed.', { default: false }),
    name: namevar(text, 'The group name.'),
    allowdupe: parameter(boolean, 'If true, several groups may have the same GID.', { default: false }),
    ia_load_module: parameter(text, 'The I&A module (AIX).', { needs: 'manages_aix_lam' }),
    attributes: property(anything, 'Attributes (AIX).', { needs: 'manages_aix_lam' }),
    attribute_membership: parameter(oneOf('inclusive', 'minimum'), 'The handling of unlisted attributes (AIX).', {
      default: 'minimum',
    }),
    system: parameter(boolean, 'If true, the group gets a system GID.', { default: false }),
    forcelocal: parameter(boolean, 'If true, only the local group is managed.', {
      default: false,
      needs: 'manages_local_users_and_groups',
    }),
    provider: parameter(anything, 'The backend.'),
  },
})

/** A group resource. */
export type GroupResource = ManagedResource<(typeof group)['attributes']>
