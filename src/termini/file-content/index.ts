import type { OpenFile } from '../../environments/environments.ts'
import { mountAndPath } from '../../environments/file-serving.ts'
import type { Request } from '../../indirector/request.ts'
import type { IndirectionDefinition } from '../../indirector/terminus.ts'
import { environmentOf } from '../environment-of.ts'
import type { FileServices } from '../file-metadata/index.ts'
import type { RemoteFile } from '../remote-puppet.ts'
import { rest } from './rest.ts'

/** A request for the bytes of a file. */
export interface FileContentRequest extends Request {
  /** The commit whose file it is; the key is then its path from the root of the tree. Only another server is asked so. */
  readonly codeId?: string | undefined
}

/** The bytes of files that environments and mounts serve; the key is `MOUNT/PATH`. */
export const fileContent: IndirectionDefinition<OpenFile | RemoteFile | 'directory', FileServices, FileContentRequest> =
  {
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
      rest,
    },
  }
