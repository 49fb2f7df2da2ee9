import type { Value } from '../../../language/values/value.ts'
import { isAbsolutePath } from '../../../machine/windows/machine-path.ts'
import { createParsedKind, textKind, toPlainText } from '../attribute-kinds.ts'
import { failWithFormError } from '../issues.ts'
import { defineNamevar, defineParameter, defineType } from '../type.ts'

const path = createParsedKind((value: Value): string | false => {
  if (value === false || value === 'false') return false
  const given = toPlainText(value)
  return isAbsolutePath(given) ? given : failWithFormError('Filebucket paths must be absolute')
})

/** The resource type `filebucket`: storage of old file contents. */
export const filebucketType = defineType('filebucket', {
  doc: 'A repository for storing and retrieving file content by cryptographic checksum.',
  passive: true,
  attributes: {
    name: defineNamevar(textKind, 'The name of the filebucket.'),
    server: defineParameter(textKind, 'The server of a remote filebucket. Default: the server of the agent.'),
    port: defineParameter(textKind, 'The port of a remote filebucket.'),
    path: defineParameter(path, 'The directory of a local filebucket; false for a remote filebucket.'),
  },
})
