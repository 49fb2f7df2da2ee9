import type { Value } from '../../../language/values/value.ts'
import {
  addAliases,
  anyKind,
  booleanKind,
  createEnumKind,
  createListKind,
  createParsedKind,
  textKind,
  toPlainText,
} from '../attribute-kinds.ts'
import { failWithFormError, failWithMessage } from '../issues.ts'
import { keyAliases, userKeyTypes } from '../ssh-key-types.ts'
import { defineEnsure, defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

/** Key types and their aliases. */
const keyType = addAliases(createEnumKind(...userKeyTypes), keyAliases)

const key = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  if (/\s/.test(given)) failWithMessage(`Key must not contain whitespace: ${given}`)
  return given
})

const option = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  if (!/^[-\w]+(?:=".*")?$/m.test(given))
    failWithMessage(
      `Option ${given} is not valid. A single option must either be of the form 'option' or 'option="value"'. Multiple options must be provided as an array`,
    )
  return given
})

/** The resource type `ssh_authorized_key`: SSH keys that permit a user's login. */
export const sshAuthorizedKey = defineType('ssh_authorized_key', {
  doc: 'Manages SSH authorized keys.',
  attributes: {
    ensure: defineEnsure('`present` adds the key, `absent` removes it.'),
    type: defineProperty(keyType, 'The encryption type.'),
    key: defineProperty(key, 'The public key, without type, comment and spaces.'),
    user: defineProperty(textKind, 'The user whose account the key opens.'),
    target: defineProperty(
      textKind,
      "The file that contains the key. Default: `.ssh/authorized_keys` in the user's home directory.",
      {
        inSync: (is, should) => is === should,
      },
    ),
    options: defineProperty(createListKind(option), 'The options of the key, such as `no-pty`.', {
      default: ['absent'],
    }),
    name: defineNamevar(textKind, "The key's comment."),
    drop_privileges: defineParameter(booleanKind, 'If false, the file is written as root instead of as the user.', {
      default: true,
    }),
    provider: defineParameter(anyKind, 'The backend.'),
  },
  autorequire: { user: (resource) => [resource.get('user')] },
  validate(resource) {
    if (!resource.has('target') && !resource.has('user')) failWithFormError("Attribute 'user' or 'target' is mandatory")
  },
})
