import type { FileReplacement, FileStat } from '../../../../machine/system/system.ts'
import type { SecurityDescriptor } from '../../../../machine/windows/file-mode.ts'
import type { FileMetadata } from '../../../../model/file-metadata.ts'
import { getEtagDigest } from '../../checksum.ts'
import { followLinks, statManagedFile } from '../../file-tree.ts'
import type { PropertyValues, ProviderWork } from '../../provider.ts'
import type { fileType } from '../../types/file.ts'

/** Owner, group and mode of files, which differ between POSIX systems and Windows. */
export interface Permissions {
  /** Replaces the desired owner and group by their IDs, and returns the owner, group and mode of a file that exists. */
  read(work: FileWork): Promise<PropertyValues>
  /** Permissions of new content, before it replaces the file. */
  getReplacement(work: FileWork): Promise<Pick<FileReplacement, 'mode' | 'uid' | 'gid' | 'keepsAccess' | 'isClosed'>>
  /** Checks that the permissions of a source can be used as `source_permissions` asks. */
  checkSource?(work: FileWork): void
  /** Restores the desired permissions after a file was created. */
  restore(work: FileWork): Promise<void>
}

/** State of one file, shared by the functions of the file provider. */
export interface FileState {
  readonly permissions: Permissions
  /** Latest status of the file; undefined if it was missing. */
  stat: FileStat | undefined
  /** Status when the resource was read; properties are compared with it. */
  seen: FileStat | undefined
  /** The desired content; undefined if it comes from a source or is not managed. */
  bytes: Uint8Array | undefined
  /** The checksum that the manifest sets as `content`; the bytes are in a filebucket. */
  bucketed: string | undefined
  /** Names of present and desired owners and groups, by ID. */
  names: { owner: ReadonlyMap<number | string, string>; group: ReadonlyMap<number | string, string> }
  /** Owner, group and access list of the file on Windows; undefined if they are not managed, or the file was missing. */
  access: SecurityDescriptor | undefined
  /** True if other users cannot access a new file on Windows, because its access list is not set yet. */
  isClosed: boolean
  /** Metadata of the source. */
  metadata: FileMetadata | undefined
  /** The source that `metadata` describes. */
  source: string | undefined
}

/** Attributes of the type `file`. */
export type FileAttributes = (typeof fileType)['attributes']
/** The argument of the file provider's functions: one file with its state. */
export type FileWork = ProviderWork<FileAttributes, FileState>

/** The initial state of a file. */
export function createFileState(permissions: Permissions): FileState {
  return {
    permissions,
    stat: undefined,
    seen: undefined,
    bytes: undefined,
    bucketed: undefined,
    names: { owner: new Map(), group: new Map() },
    access: undefined,
    isClosed: false,
    metadata: undefined,
    source: undefined,
  }
}

/** Reads the status of the file again, and stores it in the state. */
export async function readStatus({ system, resource, state }: FileWork): Promise<FileStat | undefined> {
  state.stat = await statManagedFile(system.files, resource.name, resource.get('links') ?? 'manage')
  return state.stat
}

/** The path whose content, mode and owner are managed. */
export function resolveManagedPath({ system, resource }: FileWork): Promise<string> | string {
  return resource.get('links') === 'follow' ? followLinks(system.files, resource.name) : resource.name
}

/**
 * Checksum type for comparing content. With `checksum_value`, the type that the source reports is ignored. The type
 * `etag` stands for the digest that the entity tag of a web server is, by default MD5.
 */
export function getChecksumType({ resource, settings, state }: FileWork): string {
  const sum = resource.get('checksum_value')
  const known = sum === undefined ? state.metadata?.checksum.type : undefined
  const type = known ?? resource.get('checksum') ?? settings.digest_algorithm
  return type === 'etag' && known === undefined ? (getEtagDigest(String(sum)) ?? 'md5') : type
}
