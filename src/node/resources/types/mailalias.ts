import { fail } from '../../../base/issue.ts'
import type { Value } from '../../../language/values/value.ts'
import { complainAboutForm, issues } from '../issues.ts'
import { anything, listOf, parsedBy, plain, text } from '../kind.ts'
import { defineType, ensurable, namevar, parameter, property } from '../type.ts'

const path = parsedBy((value: Value): string => {
  const given = String(plain(value))
  if (!given.startsWith('/')) fail(issues.NOT_ABSOLUTE, { path: given })
  return given
})

/** Entries of /etc/aliases. */
export const mailalias = defineType('mailalias', {
  doc: 'Creates an email alias in the local alias database.',
  attributes: {
    ensure: ensurable('`present` adds the alias, `absent` removes it.'),
    recipient: property(listOf(text), 'The address or addresses that receive the mail.'),
    file: property(path, 'A file that contains the recipients, instead of `recipient`.'),
    target: property(anything, 'The file that contains the alias.', { default: '/etc/aliases' }),
    name: namevar(text, 'The alias name.'),
    provider: parameter(anything, 'The backend.'),
  },
  validate(resource) {
    if (resource.has('recipient') && resource.has('file'))
      complainAboutForm('You cannot specify both a recipient and a file')
  },
})
