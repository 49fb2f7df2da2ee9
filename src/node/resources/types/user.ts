import type { Value } from '../../../language/values/value.ts'
import {
  anyKind,
  booleanKind,
  coercedBoolean,
  createEnumKind,
  createListKind,
  createParsedKind,
  integerKind,
  textKind,
  toPlainText,
  toPlainValue,
} from '../attribute-kinds.ts'
import { failWithFormError, failWithMessage } from '../issues.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'
import { parseId } from './group.ts'

const createIdKind = (name: 'uid' | 'gid') =>
  createParsedKind((value: Value): number | string => {
    const given = toPlainValue(value)
    if (typeof given === 'number') return given
    const text = String(given)
    return /^[-0-9]+$/.test(text) ? parseId(name, text) : text
  })

const groupName = createParsedKind((value: Value): string => {
  const name = toPlainText(value)
  if (/^\d+$/.test(name)) failWithFormError('Group names must be provided, not GID numbers.')
  if (name.includes(',')) failWithFormError('Group names must be provided as an array, not a comma-separated list.')
  if (name === '')
    failWithFormError('Group names must not be empty. If you want to specify "no groups" pass an empty array')
  return name
})

const password = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  if (given.includes(':')) failWithFormError("Passwords cannot include ':'")
  return given
})

const createDaysKind = (what: string) =>
  createParsedKind((value: Value): number => {
    const given = toPlainText(value)
    if (!/^-?\d+$/.test(given)) failWithFormError(`Password ${what} must be provided as a number.`)
    return Number(given)
  })

const expiry = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  if (given !== 'absent' && !/^\d{4}-\d{2}-\d{2}$/.test(given))
    failWithFormError('Expiry dates must be YYYY-MM-DD or the string "absent"')
  return given
})

const membership = createEnumKind('inclusive', 'minimum')

/** True, false, or paths of key files. */
const keyFiles = {
  list: true as const,
  parse(value: Value): boolean | readonly string[] {
    const given = toPlainValue(value)
    if (given === true || given === 'true' || given === false || given === 'false') return String(given) === 'true'
    const entries: readonly unknown[] = typeof given === 'string' ? [given] : Array.isArray(given) ? given : []
    return entries.map((entry) => {
      if (typeof entry !== 'string') return failWithFormError('Each entry for purge_ssh_keys must be a string')
      if (!/^(?:\/|~\/|%h\/)/.test(entry)) return failWithMessage(`Paths to keyfiles must be absolute, not ${entry}`)
      return entry
    })
  },
}

/** The resource type `user`: user accounts. */
export const user = defineType('user', {
  doc: 'Manage users.',
  features: {
    allows_duplicates: 'The provider supports duplicate users with the same UID.',
    manages_homedir: 'The provider can create and remove home directories.',
    manages_passwords: 'The provider can modify user passwords, by accepting a password hash.',
    manages_password_age: 'The provider can set age requirements and restrictions for passwords.',
    manages_password_salt: 'The provider can set a password salt.',
    manages_solaris_rbac: 'The provider can manage normal users.',
    manages_roles: 'The provider can manage roles.',
    manages_expiry: 'The provider can manage the expiry date for a user.',
    system_users: 'The provider can create system users with low UIDs.',
    manages_aix_lam: 'The provider can manage AIX Loadable Authentication Module (LAM) system.',
    manages_local_users_and_groups: 'The provider can manage local users if a remote name service also has users.',
    manages_shell: 'The provider can set the shell and check that it exists.',
    manages_loginclass: 'The provider can manage the login class for a user.',
  },
  attributes: {
    ensure: defineProperty(
      createEnumKind('present', 'absent', 'role'),
      '`present` creates the user, `absent` removes it.',
      {
        default: 'present',
        valueNeeds: { role: 'manages_solaris_rbac' },
      },
    ),
    home: defineProperty(textKind, 'The home directory.'),
    uid: defineProperty(createIdKind('uid'), 'The user ID. Default: the system selects it.'),
    gid: defineProperty(createIdKind('gid'), 'The primary group: a name or a GID.'),
    comment: defineProperty(textKind, 'The full name.'),
    shell: defineProperty(textKind, 'The login shell.', { needs: 'manages_shell' }),
    password: defineProperty(password, 'The password, hashed.', { needs: 'manages_passwords', sensitive: true }),
    password_min_age: defineProperty(createDaysKind('minimum age'), 'The days before a password may be changed.', {
      needs: 'manages_password_age',
    }),
    password_max_age: defineProperty(
      createDaysKind('maximum age'),
      'The days after which a password must be changed.',
      {
        needs: 'manages_password_age',
      },
    ),
    password_warn_days: defineProperty(
      createDaysKind('warning days'),
      'The days of warning before a password expires.',
      {
        needs: 'manages_password_age',
      },
    ),
    groups: defineProperty(createListKind(groupName), 'The supplementary groups.'),
    name: defineNamevar(textKind, 'The user name.'),
    membership: defineParameter(membership, '`inclusive` removes unlisted groups, `minimum` keeps them.', {
      default: 'minimum',
    }),
    system: defineParameter(booleanKind, 'If true, the user gets a system UID.', { default: false }),
    allowdupe: defineParameter(booleanKind, 'If true, several users may have the same UID.', { default: false }),
    managehome: defineParameter(coercedBoolean, 'If true, the home directory is created and removed with the user.', {
      default: false,
    }),
    expiry: defineProperty(expiry, 'The expiration date of the account: YYYY-MM-DD or absent.', {
      needs: 'manages_expiry',
    }),
    roles: defineProperty(createListKind(textKind), 'The roles of the user.', { needs: 'manages_roles' }),
    role_membership: defineParameter(membership, '`inclusive` removes unlisted roles, `minimum` keeps them.', {
      default: 'minimum',
    }),
    auths: defineProperty(createListKind(textKind), 'The auths of the user (Solaris).', {
      needs: 'manages_solaris_rbac',
    }),
    auth_membership: defineParameter(membership, '`inclusive` removes unlisted auths, `minimum` keeps them.', {
      default: 'minimum',
    }),
    profiles: defineProperty(createListKind(textKind), 'The profiles of the user (Solaris).', {
      needs: 'manages_solaris_rbac',
    }),
    profile_membership: defineParameter(membership, '`inclusive` removes unlisted profiles, `minimum` keeps them.', {
      default: 'minimum',
    }),
    keys: defineProperty(anyKind, 'User attributes (Solaris).', { needs: 'manages_solaris_rbac' }),
    key_membership: defineParameter(membership, '`inclusive` removes unlisted keys, `minimum` keeps them.', {
      default: 'minimum',
    }),
    project: defineProperty(textKind, 'The project of the user (Solaris).', { needs: 'manages_solaris_rbac' }),
    ia_load_module: defineParameter(textKind, 'The I&A module (AIX).', { needs: 'manages_aix_lam' }),
    attributes: defineProperty(anyKind, 'Attributes (AIX).', { needs: 'manages_aix_lam' }),
    attribute_membership: defineParameter(
      membership,
      '`inclusive` removes unlisted attributes, `minimum` keeps them.',
      {
        default: 'minimum',
      },
    ),
    salt: defineProperty(textKind, 'The salt of the password.', { needs: 'manages_password_salt' }),
    iterations: defineProperty(integerKind, 'The number of iterations of the password hash.', {
      needs: 'manages_password_salt',
    }),
    forcelocal: defineParameter(booleanKind, 'If true, only the local user is managed.', {
      default: false,
      needs: 'manages_local_users_and_groups',
    }),
    purge_ssh_keys: defineParameter(keyFiles, 'If true, unmanaged SSH keys are removed; paths select the key files.', {
      default: false,
    }),
    loginclass: defineProperty(textKind, 'The login class.', { needs: 'manages_loginclass' }),
    provider: defineParameter(anyKind, 'The backend.'),
  },
  autorequire: {
    group: (resource) => {
      const primary = resource.get('gid')
      return [typeof primary === 'string' ? primary : undefined, ...(resource.get('groups') ?? [])]
    },
    user: (resource) => resource.get('roles') ?? [],
  },
})

/** A user resource. */
export type UserResource = ManagedResource<(typeof user)['attributes']>
