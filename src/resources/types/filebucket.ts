import type { Value } from '../../language/values/value.ts'
import { integer, parsedBy, plain, text } from '../kind.ts'
import { defineType, namevar, parameter } from '../type.ts'

const path = parsedBy((value: Value): string | false =>
  value === false || value === 'false' ? false : String(plain(value)),
)

/** Places for old contents of files. */
export const filebucket = defineType('filebucket', {
  doc: 'A repository for storing and retrieving file content by cryptographic checksum.',
  passive: true,
  attributes: {
    name: namevar(text, 'The name of the filebucket.'),
    server: parameter(text, 'The server of a remote filebucket.'),
    port: parameter(integer, 'The port of that server.'),
    path: parameter(path, 'The folder of a local filebucket; false for a remote one.'),
  },
})
