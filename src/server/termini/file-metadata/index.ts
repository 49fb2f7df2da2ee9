import type { FileSearch } from '../../../code/environments/file-serving.ts'
import type { FileMetadata } from '../../../model/file-metadata.ts'
import type { Request } from '../../../model/indirector/request.ts'
import type { IndirectionDefinition } from '../../../model/indirector/terminus.ts'
import type { ReadText } from '../../../model/model-readers.ts'
import { type FileServerSources, resolveFileServer } from '../file-server.ts'
import type { RemoteServices } from '../remote-puppet.ts'
import { rest } from './rest.ts'

/** Request for file metadata; the key is `MOUNT/PATH`. */
export interface FileMetadataRequest extends Request {
  readonly query: Omit<FileSearch, 'mount' | 'path'>
}

/** Dependencies of the file termini. */
export interface FileServices extends FileServerSources, RemoteServices {
  readonly readText: ReadText
}

/** Metadata of files in environments and mounts. */
export const fileMetadata: IndirectionDefinition<FileMetadata, FileServices, FileMetadataRequest> = {
  name: 'file_metadata',
  doc: 'Owner, mode, checksum and other metadata of files in environments and mounts.',
  selector: 'file_server',
  termini: {
    file_server: {
      doc: 'The modules of the environment, and the mounts of fileserver.conf.',
      create: (places) => ({
        async find(request) {
          const { server, place } = await resolveFileServer(places, request)
          return server.findMetadata({ ...request.query, ...place }, request.node)
        },
        async search(request) {
          const { server, place } = await resolveFileServer(places, request)
          return server.searchMetadata({ ...request.query, ...place }, request.node)
        },
      }),
    },
    rest,
  },
}
