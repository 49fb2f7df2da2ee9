import type { OpenFile } from '../../../code/environments/environments.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition } from '../../../model/indirector/terminus.ts'
import type { FileServices } from '../file-metadata/index.ts'
import { resolveFileServer } from '../file-server.ts'
import type { RemoteFile } from '../remote-puppet.ts'
import { rest } from './rest.ts'

/** Content of a file, local or streamed from another server, or `directory`. */
export type FileContent = OpenFile | RemoteFile | 'directory'

/** Request for the content of a file. */
export interface FileContentRequest extends Request {
  /**
   * Commit that contains the file; `key` is then a path from the root of the commit. Used only for requests to
   * another server.
   */
  readonly codeId?: string | undefined
}

/** Content of files in environments and mounts; the key is `MOUNT/PATH`. */
export const fileContent: IndirectionDefinition<FileContent, FileServices, FileContentRequest> = {
  name: 'file_content',
  doc: 'Contents of files in environments and mounts.',
  selector: 'file_server',
  termini: {
    file_server: {
      doc: 'The modules of the environment, and the mounts of fileserver.conf.',
      create: (places) => ({
        async find(request) {
          const { server, place } = await resolveFileServer(places, request)
          return server.openContent(place, request.node)
        },
      }),
    },
    rest,
  },
}
