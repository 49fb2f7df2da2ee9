import type { Environments, OpenFile } from '../../code/environments/environments.ts'
import { type FileSearch, type MountQuery, splitMountAndPath } from '../../code/environments/file-serving.ts'
import type { FolderMounts } from '../../code/environments/mounts/folder-mounts.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'
import type { Request } from '../../model/indirector/request.ts'
import { getRequestEnvironment } from './request-environment.ts'

/** Mount of a file, and its path in the mount. */
type FilePlace = Pick<MountQuery, 'mount' | 'path'>

/**
 * Serves the files of an environment, or of the mounts of fileserver.conf. The folder of a mount may depend on the
 * node.
 */
interface FileServer {
  findMetadata(query: MountQuery, node: string | undefined): Promise<FileMetadata | undefined>
  searchMetadata(search: FileSearch, node: string | undefined): Promise<readonly FileMetadata[] | undefined>
  openContent(place: FilePlace, node: string | undefined): Promise<OpenFile | 'directory' | undefined>
}

/** Sources of files: environments, and the mounts of fileserver.conf. */
export interface FileServerSources {
  readonly environments: Environments
  readonly mounts?: FolderMounts | undefined
}

/**
 * Returns the server of the file with the key `MOUNT/PATH`, and the file's location. Throws INVALID_MOUNT,
 * ENVIRONMENT_….
 */
export async function resolveFileServer(
  { environments, mounts }: FileServerSources,
  request: Request,
): Promise<{ readonly server: FileServer; readonly place: FilePlace }> {
  const environment = await getRequestEnvironment(environments, request)
  const place = splitMountAndPath(request.key)
  return { server: mounts?.has(place.mount) ? mounts : environment, place }
}
