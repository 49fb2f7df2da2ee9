import type { OpenFile } from '../../environments/environments.ts'
import { mountAndPath } from '../../environments/file-serving.ts'
import type { Request } from '../../indirector/request.ts'
import type { IndirectionDefinition } from '../../indirector/terminus.ts'
import { environmentOf } from '../environment-of.ts'
import type { FileServices } from '../file-metadata/index.ts'

/** The bytes of files that environments and mounts serve; the key is `MOUNT/PATH`. */
export const fileContent: IndirectionDefinition<OpenFile | 'directory', FileServices, Request> = {
  name: 'file_content',
  doc: 'The bytes of the files that environments and mounts serve.',
  selector: 'file_server',
  termini: {
    file_server: {
      doc: 'The modules of the environment, and the mounts of fileserver.conf.',
      create: ({ environments, mounts }) => ({
        async find(request) {
          const environment = await environmentOf(environments, request)
          const query = mountAndPath(request.key)
          return mounts?.has(query.mount) ? mounts.openContent(query, request.node) : environment.openContent(query)
        },
      }),
    },
  },
}
