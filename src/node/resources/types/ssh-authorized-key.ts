import type { Value } from '../../../language/values/value.ts'
import { complain, complainAboutForm } from '../issues.ts'
import { anything, boolean, listOf, oneOf, parsedBy, plain, text, withAliases } from '../kind.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { keyAliases, userKeyTypes } from '../ssh-key-types.ts'
import { defineType, ensurable, namevar, parameter, property } from '../type.ts'

/** Key types and their aliases. */
const keyType = withAliases(oneOf(...userKeyTypes), keyAliases)

const key = parsedBy((value: Value): string => {
  const given = String(plain(value))
  if (/\s/.test(given)) complain(`Key must not contain whitespace: ${given}`)
  return given
})

const option = parsedBy((value: Value): string => {
  const given = String(plain(value))
  if (!/^[-\w]+(?:=".*")?$/m.test(given))
    complain(
      `Option ${given} is not valid. A single option must either be of the form 'option' or 'option="value"'. Multiple options must be provided as an array`,
    )
  return given
})

/** SSH keys that permit a user's login. */
export const sshAuthorizedKey = defineType('ssh_authorized_key', {
  doc: 'Manages SSH authorized keys.',
  attributes: {
    ensure: ensurable('`present` adds the key, `absent` removes it.'),
    type: property(keyType, 'The encryption type.'),
    key: property(key, 'The public key, without type, comment and spaces.'),
    user: property(text, 'The user whose account the key opens.'),
    target: property(
      text,
      "The file that contains the key. Default: `.ssh/authorized_keys` in the user's home directory.",
      {
        inSync: (is, should) => is === should,
      },
    ),
    options: property(listOf(option), 'The options of the key, such as `no-pty`.', { default: ['absent'] }),
    name: namevar(text, "The key's comment."),
    drop_privileges: parameter(boolean, 'If false, the file is written as root instead of as the user.', {
      default: true,
    }),
    provider: parameter(anything, 'The backend.'),
  },
  autorequire: { user: (resource) => [resource.get('user')] },
  validate(resource) {
    if (!resource.has('target') && !resource.has('user')) complainAboutForm("Attribute 'user' or 'target' is mandatory")
  },
})

/** An ssh_authorized_key resource. */
export type AuthorizedKeyResource = ManagedResource<(typeof sshAuthorizedKey)['attributes']>
