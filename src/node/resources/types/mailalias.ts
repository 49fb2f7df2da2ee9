import { throwIssue } from '../../../base/issue.ts'
import type { Value } from '../../../language/values/value.ts'
import { anyKind, createListKind, createParsedKind, textKind, toPlainText } from '../attribute-kinds.ts'
import { failWithFormError, issues } from '../issues.ts'
import { defineEnsure, defineNamevar, defineParameter, defineProperty, defineType } from '../type.ts'

const path = createParsedKind((value: Value): string => {
  const given = toPlainText(value)
  if (!given.startsWith('/')) throwIssue(issues.NOT_ABSOLUTE, { path: given })
  return given
})

/** The resource type `mailalias`: entries of /etc/aliases. */
export const mailalias = defineType('mailalias', {
  doc: 'Creates an email alias in the local alias database.',
  attributes: {
    ensure: defineEnsure('`present` adds the alias, `absent` removes it.'),
    recipient: defineProperty(createListKind(textKind), 'The address or addresses that receive the mail.'),
    file: defineProperty(path, 'A file that contains the recipients, instead of `recipient`.'),
    target: defineProperty(anyKind, 'The file that contains the alias.', { default: '/etc/aliases' }),
    name: defineNamevar(textKind, 'The alias name.'),
    provider: defineParameter(anyKind, 'The backend.'),
  },
  validate(resource) {
    if (resource.has('recipient') && resource.has('file'))
      failWithFormError('You cannot specify both a recipient and a file')
  },
})
