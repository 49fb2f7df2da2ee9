import type { OpenFile } from '../../../code/environments/environments.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition } from '../../../model/indirector/terminus.ts'
import type { FileServices } from '../file-metadata/index.ts'
import { fileServerOf } from '../file-server.ts'
import type { RemoteFile } from '../remote-puppet.ts'
import { rest } from './rest.ts'

/** The bytes of a file, of this server or on their way from another; a folder has none. */
export type FileContent = OpenFile | RemoteFile | 'directory'

/** A request for the bytes of a file. */
export interface FileContentRequest extends Request {
  /** The commit whose file it is; the key is then its path from the root of the tree. Only another server is asked so. */
  readonly codeId?: string | undefined
}

/** The bytes of files that environments and mounts serve; the key is `MOUNT/PATH`. */
export const fileContent: IndirectionDefinition<FileContent, FileServices, FileContentRequest> = {
  name: 'file_content',
  doc: 'The bytes of the files that environments and mounts serve.',
  selector: 'file_server',
  termini: {
    file_server: {
      doc: 'The modules of the environment, and the mounts of fileserver.conf.',
      create: (places) => ({
        async find(request) {
          const { server, place } = await fileServerOf(places, request)
          return server.openContent(place, request.node)
        },
      }),
    },
    rest,
  },
}
