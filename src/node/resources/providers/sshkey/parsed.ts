import { joinFields, type RecordValues } from '../../records/record-format.ts'
import { defineRecordProvider } from '../../records/record-provider.ts'
import { createFlatFileStorage } from '../../records/record-storage.ts'
import { sshkey } from '../../types/sshkey.ts'

/**
 * The provider of `sshkey`, which manages host keys in a known_hosts file that all users can read.
 */
export const sshkeyParsed = defineRecordProvider(sshkey, 'parsed', {
  doc: 'Host-wide known hosts files for SSH.',
  format: { fields: ['name', 'type', 'key'], parse, print },
  place: (services, log) => createFlatFileStorage(services, log, 0o644),
})

/** Parses `host,alias type key`. */
function parse(line: string): RecordValues | string | undefined {
  if (line.startsWith('#') || line.trim() === '') return line
  const [names = '', type = 'absent', key = 'absent', ...rest] = line.trimEnd().split(/[ \t\r\f\v]+/)
  if (names === '') return undefined
  const [name = '', ...aliases] = names.split(',')
  return { name, host_aliases: aliases, type, key: [key, ...rest].join(' ') }
}

function print(values: RecordValues): string {
  const { name, host_aliases: aliases } = values
  const names = Array.isArray(aliases) ? [name, ...aliases].join(',') : name
  return joinFields({ ...values, name: names }, ['name', 'type', 'key'], ' ')
}
