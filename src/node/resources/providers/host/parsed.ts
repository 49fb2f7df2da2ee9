import { failWithMessage } from '../../issues.ts'
import type { RecordValues } from '../../records/record-format.ts'
import { defineRecordProvider } from '../../records/record-provider.ts'
import { hostsFile, hostType } from '../../types/host.ts'

/** The provider of `host`: entries of /etc/hosts, or of another file in the same format. */
export const hostParsed = defineRecordProvider(hostType, 'parsed', {
  doc: 'Manages host entries in a file such as `/etc/hosts`.',
  suitable: { when: async ({ system }) => (await system.files.stat(hostsFile)) !== undefined },
  format: { fields: ['ip', 'name', 'host_aliases', 'comment'], parse, print },
  seen: {
    host_aliases: (value) =>
      String(value)
        .split(' ')
        .filter((each) => each !== ''),
  },
})

/** Parses `127.0.0.1 localhost alias # comment`; any other line remains text. */
function parse(line: string): RecordValues | string {
  const [, ip, name = '', rest = ''] = /^([0-9a-f:][^ \t\r\f\v]+)[ \t\r\f\v]+([^ \t\r\f\v]+)(.*)$/s.exec(line) ?? []
  if (line.startsWith('#') || ip === undefined || !/^[^#+]./.test(name)) return line
  const end = rest.indexOf('#')
  const aliases = (end < 0 ? rest.trimStart() : rest.slice(0, end).trim()).replace(/[ \t\r\f\v]+/g, ' ')
  return {
    ip,
    name,
    host_aliases: aliases === '' ? 'absent' : aliases,
    comment: end < 0 ? '' : rest.slice(end + 1).trimStart(),
  }
}

function print(values: RecordValues): string {
  const { ip, name, host_aliases: aliases, comment } = values
  for (const [attribute, value] of Object.entries({ ip, name }))
    if (value === undefined || value === 'absent') failWithMessage(`${attribute} is a required attribute for hosts`)
  const more = aliases === undefined || aliases === 'absent' ? '' : `\t${aliases}`
  return `${ip}\t${name}${more}${comment === undefined || comment === '' ? '' : `\t# ${comment}`}`
}
