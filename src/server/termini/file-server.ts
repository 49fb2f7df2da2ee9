import type { Environments, OpenFile } from '../../code/environments/environments.ts'
import { type FileQuery, type FileSearch, mountAndPath } from '../../code/environments/file-serving.ts'
import type { FolderMounts } from '../../code/environments/mounts/folder-mounts.ts'
import type { FileMetadata } from '../../model/file-metadata.ts'
import type { Request } from '../../model/indirector/request.ts'
import { environmentOf } from './environment-of.ts'

/** A file's mount, and its path there. */
type FilePlace = Pick<FileQuery, 'mount' | 'path'>

/** The server of files: an environment, or the mounts of fileserver.conf, whose folders may be a node's own. */
interface FileServer {
  findMetadata(query: FileQuery, node: string | undefined): Promise<FileMetadata | undefined>
  searchMetadata(search: FileSearch, node: string | undefined): Promise<readonly FileMetadata[] | undefined>
  openContent(place: FilePlace, node: string | undefined): Promise<OpenFile | 'directory' | undefined>
}

/** Places of files: environments, and folders beside them. */
export interface FilePlaces {
  readonly environments: Environments
  readonly mounts?: FolderMounts | undefined
}

/** The server of the file that a key `MOUNT/PATH` names, and its place there. Throws INVALID_MOUNT, ENVIRONMENT_…. */
export async function fileServerOf(
  { environments, mounts }: FilePlaces,
  request: Request,
): Promise<{ readonly server: FileServer; readonly place: FilePlace }> {
  const environment = await environmentOf(environments, request)
  const place = mountAndPath(request.key)
  return { server: mounts?.has(place.mount) ? mounts : environment, place }
}
