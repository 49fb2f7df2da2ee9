import type { Environments } from '../../environments/environments.ts'
import { type FileSearch, mountAndPath } from '../../environments/file-serving.ts'
import type { FolderMounts } from '../../environments/mounts/folder-mounts.ts'
import type { Request } from '../../indirector/request.ts'
import type { IndirectionDefinition } from '../../indirector/terminus.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'
import type { ReadText } from '../../model/text-readings.ts'
import { environmentOf } from '../environment-of.ts'
import type { RemoteServices } from '../remote-puppet.ts'
import { rest } from './rest.ts'

/** A request for what is known of files; the key is `MOUNT/PATH`. */
export interface FileMetadataRequest extends Request {
  readonly query: Omit<FileSearch, 'mount' | 'path'>
}

/** Places of files: environments, and folders beside them. */
export interface FileServices extends RemoteServices {
  readonly environments: Environments
  readonly mounts?: FolderMounts | undefined
  readonly readText: ReadText
}

/** Metadata of the files that environments and mounts serve. */
export const fileMetadata: IndirectionDefinition<FileMetadata, FileServices, FileMetadataRequest> = {
  name: 'file_metadata',
  doc: 'Owner, mode, checksum and so on of the files that environments and mounts serve.',
  selector: 'file_server',
  termini: {
    file_server: {
      doc: 'The modules of the environment, and the mounts of fileserver.conf.',
      create: ({ environments, mounts }) => ({
        async find(request) {
          const environment = await environmentOf(environments, request)
          const query = { ...request.query, ...mountAndPath(request.key) }
          return mounts?.has(query.mount) ? mounts.findMetadata(query, request.node) : environment.findMetadata(query)
        },
        async search(request) {
          const environment = await environmentOf(environments, request)
          const query = { ...request.query, ...mountAndPath(request.key) }
          return mounts?.has(query.mount)
            ? mounts.searchMetadata(query, request.node)
            : environment.searchMetadata(query)
        },
      }),
    },
    rest,
  },
}
