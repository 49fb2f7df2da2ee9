import { trimTrailingSlashes } from '../../../../base/text/trailing-characters.ts'
import { failWithMessage } from '../../issues.ts'
import { joinFields, type RecordFormat, type RecordValues } from '../../records/record-format.ts'

const fields = ['device', 'name', 'fstype', 'options', 'dump', 'pass']

/** The format of /etc/fstab: fields separated by whitespace; `\040` is a space within a field. */
export const fstab: RecordFormat = { fields, parse, print }

function parse(line: string): RecordValues | string {
  const words = line.trimEnd().split(/[ \t\r\f\v]+/)
  // A line with fewer than two fields is not an entry; the system ignores it, too.
  if (/^\s*(?:#|$)/.test(line) || words.filter((word) => word !== '').length < 2) return line
  const values: RecordValues = { ensure: 'unmounted' }
  for (const [index, field] of fields.entries()) values[field] = words[index] || 'absent'
  if (words.length > fields.length) values['pass'] = words.slice(fields.length - 1).join('\t')
  for (const field of ['device', 'name']) values[field] = String(values[field]).replaceAll('\\040', ' ')
  values['name'] = trimTrailingSlashes(String(values['name']))
  return values
}

function print(given: RecordValues): string {
  const values = { ...given, options: given['options'] ?? 'defaults' }
  if (given['fstype'] === undefined) failWithMessage(`Mount[${given['name']}]: Field 'fstype' is required`)
  const escaped = ['device', 'name'].map((field) => [field, String(given[field] ?? 'absent').replaceAll(' ', '\\040')])
  return joinFields({ ...values, ...Object.fromEntries(escaped) }, fields, '\t', ['fstype', 'options', 'dump', 'pass'])
}
