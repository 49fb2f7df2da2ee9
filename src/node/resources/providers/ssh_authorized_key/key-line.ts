import { joinFields, type RecordValues, type TextRecord } from '../../records/record-format.ts'
import { userKeyTypes } from '../../ssh-key-types.ts'

/** Key types in authorized_keys files, which can contain two short names. */
const types: readonly string[] = [...userKeyTypes, 'ecdsa-sk', 'ed25519-sk']

/** Parses `options type key comment`. The last word that is a key type counts, as Puppet's pattern is greedy. */
export function parseKeyLine(line: string): RecordValues | string | undefined {
  const trimmed = line.trimStart()
  if (trimmed === '' || trimmed.startsWith('#')) return line
  let found: RecordValues | undefined
  for (const { 0: word, index } of line.matchAll(/[^ \t]+/g)) {
    if (!types.includes(word)) continue
    const [, key, name = ''] = /^[ \t]+([^ ]+) *(.*)$/s.exec(line.slice(index + word.length)) ?? []
    // Puppet's pattern requires a character before the space that ends the options; two spaces mean
    // empty options.
    if (key !== undefined && index !== 1) {
      const options = index === 0 ? ['absent'] : splitOptions(line.slice(0, index))
      found = { options, type: word, key, name: name.trimStart() }
    }
  }
  // A key of SSH protocol 1, which no longer permits a login.
  const areNumbers = line.split(' ').map((word) => /^\d+$/.test(word))
  const isOld = areNumbers.some((isNumber, index) => isNumber && areNumbers[index + 1] && areNumbers[index + 2])
  return found ?? (isOld ? line : undefined)
}

/** Splits `no-pty,command="a, b"` into options, up to the first invalid one. */
function splitOptions(text: string): readonly string[] {
  const found: string[] = []
  const part = /[ \t]*([-\w]+(?:=""|="(?:[^"\\]|\\.)*")?)[ \t]*,?/y
  for (let match = part.exec(text); match; match = part.exec(text)) found.push(match[1]!)
  return found
}

/** Assigns generated names, which are never written, to keys without a comment. */
export function assignKeyNames(records: readonly TextRecord[], target: string): readonly TextRecord[] {
  let count = 0
  for (const { line, values } of records) {
    if (line !== undefined || values['name'] !== '') continue
    count += 1
    values['name'] = `${target}:unnamed-${count}`
    values['unnamed'] = true
  }
  return records
}

/** Formats a key as a line. */
export function formatKeyLine(values: RecordValues): string {
  const { options, unnamed, name } = values
  const shown = Array.isArray(options) && !options.includes('absent') ? options.join(',') : ''
  const fields = { ...values, options: shown, name: unnamed === true ? '' : name }
  return joinFields(fields, ['options', 'type', 'key', 'name'], ' ').trimStart()
}
