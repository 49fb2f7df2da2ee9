import { parseStrictInteger } from '../../../language/ruby-semantics/numbers/number-parsing.ts'
import type { Value } from '../../../language/values/value.ts'
import {
  anyKind,
  booleanKind,
  createEnumKind,
  createListKind,
  createParsedKind,
  failMunging,
  textKind,
  toPlainText,
} from '../attribute-kinds.ts'
import { failWithMessage } from '../issues.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

const gid = createParsedKind((value: Value): number => {
  const given = toPlainText(value)
  if (!/^-?[0-9]+$/.test(given)) failWithMessage(`Invalid GID ${given}`)
  return parseId('gid', given)
})

/** Parses an ID like Ruby's `Integer`, where a leading zero means octal. */
export function parseId(name: string, text: string): number {
  const id = parseStrictInteger(text)
  return id === undefined ? failMunging(name, text, `invalid value for Integer(): "${text}"`) : Number(id)
}

/** The resource type `group`: user groups. */
export const group = defineType('group', {
  doc: 'Manage groups.',
  features: {
    manages_members: 'Membership is an attribute of groups, not of users.',
    manages_aix_lam: 'The provider can manage AIX Loadable Authentication Module (LAM) system.',
    system_groups: 'The provider can create system groups with low GIDs.',
    manages_local_users_and_groups: 'The provider can manage local groups if a remote name service also has groups.',
  },
  attributes: {
    ensure: defineProperty(createEnumKind('present', 'absent'), '`present` creates the group, `absent` removes it.', {
      default: 'present',
    }),
    gid: defineProperty(gid, 'The group ID. Default: the system selects it.'),
    members: defineProperty(createListKind(textKind), 'The members of the group.', { needs: 'manages_members' }),
    auth_membership: defineParameter(booleanKind, 'If true, other members are removed.', { default: false }),
    name: defineNamevar(textKind, 'The group name.'),
    allowdupe: defineParameter(booleanKind, 'If true, several groups may have the same GID.', { default: false }),
    ia_load_module: defineParameter(textKind, 'The I&A module (AIX).', { needs: 'manages_aix_lam' }),
    attributes: defineProperty(anyKind, 'Attributes (AIX).', { needs: 'manages_aix_lam' }),
    attribute_membership: defineParameter(
      createEnumKind('inclusive', 'minimum'),
      'The handling of unlisted attributes (AIX).',
      {
        default: 'minimum',
      },
    ),
    system: defineParameter(booleanKind, 'If true, the group gets a system GID.', { default: false }),
    forcelocal: defineParameter(booleanKind, 'If true, only the local group is managed.', {
      default: false,
      needs: 'manages_local_users_and_groups',
    }),
    provider: defineParameter(anyKind, 'The backend.'),
  },
})
