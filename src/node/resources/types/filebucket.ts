import type { Value } from '../../../language/values/value.ts'
import { complainAboutForm } from '../issues.ts'
import { parsedBy, plain, text } from '../kind.ts'
import { defineType, namevar, parameter } from '../type.ts'

const path = parsedBy((value: Value): string | false => {
  if (value === false || value === 'false') return false
  const given = String(plain(value))
  return given.startsWith('/') ? given : complainAboutForm('Filebucket paths must be absolute')
})

/** Storage of old file contents. */
export const filebucket = defineType('filebucket', {
  doc: 'A repository for storing and retrieving file content by cryptographic checksum.',
  passive: true,
  attributes: {
    name: namevar(text, 'The name of the filebucket.'),
    server: parameter(text, 'The server of a remote filebucket. Default: the server of the agent.'),
    port: parameter(text, 'The port of a remote filebucket.'),
    path: parameter(path, 'The directory of a local filebucket; false for a remote filebucket.'),
  },
})
