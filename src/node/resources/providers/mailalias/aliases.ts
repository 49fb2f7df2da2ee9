import type { RecordValues } from '../../records/record-format.ts'
import { defineRecordProvider } from '../../records/record-provider.ts'
import { mailalias } from '../../types/mailalias.ts'

/** The provider of `mailalias`: aliases in /etc/aliases, or in another file in the same format. */
export const aliases = defineRecordProvider(mailalias, 'aliases', {
  doc: 'Manages mail aliases in a file such as `/etc/aliases`.',
  format: { fields: ['name', 'recipient'], parse, print },
})

/**
 * Parses `name: one, "|two"` and `name: :include: /file`; undefined for a line without a colon,
 * which no alias can have.
 */
function parse(line: string): RecordValues | string | undefined {
  if (line.startsWith('#') || line.trim() === '') return line
  const [name = '', ...rest] = line.split(':')
  if (rest.length === 0) return undefined
  if (rest[1]?.trim() === 'include' && rest.length > 2)
    return { name: name.trim(), file: rest.slice(2).join(':').trim() }
  return { name: name.trim(), recipient: splitRecipients(rest.join(':').trim()) }
}

/** Splits a list of recipients at commas, except within double quotes. */
function splitRecipients(list: string): readonly string[] {
  const parts = ['']
  let quoted = false
  for (const character of list) {
    if (character === '"') quoted = !quoted
    if (character === ',' && !quoted) parts.push('')
    else parts[parts.length - 1] += character
  }
  while (parts.at(-1)?.trim() === '') parts.pop()
  return parts.map((part) => part.trim().replace(/^['"]/, '').replace(/['"]$/, ''))
}

function print({ name, recipient, file }: RecordValues): string {
  if (Array.isArray(recipient)) {
    const quoted = recipient.map((each) => (/[^-+\w@.]/.test(each) ? `"${each}"` : each))
    return `${name}: ${quoted.join(',')}`
  }
  return file === undefined || file === 'absent' ? '' : `${name}: :include: ${file}`
}
