import type { Environments, OpenFile } from '../../environments/environments.ts'
import type { Request } from '../../indirector/request.ts'
import type { IndirectionDefinition } from '../../indirector/terminus.ts'
import { environmentOf } from '../environment-of.ts'
import { mountAndPath } from '../file-metadata/index.ts'

/** The bytes of files that environments serve; the key is `MOUNT/PATH`. */
export const fileContent: IndirectionDefinition<OpenFile | 'directory', { environments: Environments }, Request> = {
  name: 'file_content',
  doc: 'The bytes of the files that environments serve.',
  selector: 'file_server',
  termini: {
    file_server: {
      doc: 'The modules of the environment.',
      create: ({ environments }) => ({
        find: async (request) => (await environmentOf(environments, request)).openContent(mountAndPath(request.key)),
      }),
    },
  },
}
