import type { FileStat } from '../../../../machine/system/system.ts'
import type { FileMetadata } from '../../../../model/file-metadata.ts'
import { followLinks, statOf } from '../../file-tree.ts'
import type { Work } from '../../provider.ts'
import type { file } from '../../types/file.ts'

/** State of one file that the functions of the file provider share. */
export interface FileState {
  /** Status of the file at the last look; `undefined` when there was none. */
  stat: FileStat | undefined
  /** Status of the file when the resource was read; its properties are compared with that. */
  seen: FileStat | undefined
  /** The content that is wanted; `undefined` when it comes from a source or is not managed. */
  bytes: Uint8Array | undefined
  /** The checksum that was given as content: its bytes are in a bucket. */
  bucketed: string | undefined
  /** Names of the owner and the group that are there or wanted, by number. */
  names: { owner: ReadonlyMap<number, string>; group: ReadonlyMap<number, string> }
  /** Metadata of the source. */
  metadata: FileMetadata | undefined
  /** The source that `metadata` is of. */
  source: string | undefined
}

/** Attributes of the type `file`. */
export type FileAttributes = (typeof file)['attributes']
/** Work on one file. */
export type FileWork = Work<FileAttributes, FileState>

/** A state of a file of which nothing is known yet. */
export function begin(): FileState {
  return {
    stat: undefined,
    seen: undefined,
    bytes: undefined,
    bucketed: undefined,
    names: { owner: new Map(), group: new Map() },
    metadata: undefined,
    source: undefined,
  }
}

/** Looks again. */
export async function look({ system, resource, state }: FileWork): Promise<FileStat | undefined> {
  state.stat = await statOf(system.files, resource.name, resource.get('links') ?? 'manage')
  return state.stat
}

/** The path that content, mode and owner are set at. */
export function effectivePath({ system, resource }: FileWork): Promise<string> | string {
  return resource.get('links') === 'follow' ? followLinks(system.files, resource.name) : resource.name
}

/** Type of the checksum by which content is compared: that of `checksum_value`, whatever the source says of itself. */
export function checksumType({ resource, settings, state }: FileWork): string {
  const known = resource.has('checksum_value') ? undefined : state.metadata?.checksum.type
  return known ?? resource.get('checksum') ?? settings.digest_algorithm
}
