import {
  checkJsonNumber,
  checkJsonObject,
  checkJsonString,
  checkOptionalString,
  type Json,
} from '../base/json/json-checks.ts'

/** Metadata of a file, which a file server sends or a static catalog contains. protocol.md 5 and 8. */
export interface FileMetadata {
  /** Absolute path of the file; in a recursive response, each entry has the path of the base directory. */
  readonly path: string
  /** Path relative to the base directory (`.` for the base itself); `undefined` for a single file. */
  readonly relativePath: string | undefined
  readonly links: 'manage' | 'follow'
  readonly owner: number | string
  readonly group: number | string
  /** Permission bits of the file. */
  readonly mode: number
  /** The checksum; `value` includes the type: `{sha256}5866…`. */
  readonly checksum: { readonly type: string; readonly value: string }
  readonly type: 'file' | 'directory' | 'link'
  /** Target of a symbolic link. */
  readonly destination: string | undefined
  /** In static catalogs, the URI of the file's content in the commit of the catalog. */
  readonly contentUri: string | undefined
  /** In static catalogs, the source that a single file is copied from. */
  readonly source: string | undefined
}

/** Converts file metadata to wire format. */
export function fileMetadataToWire(file: FileMetadata): Json {
  return {
    path: file.path,
    relative_path: file.relativePath ?? null,
    links: file.links,
    owner: file.owner,
    group: file.group,
    mode: file.mode,
    checksum: { type: file.checksum.type, value: file.checksum.value },
    type: file.type,
    destination: file.destination ?? null,
    ...(file.contentUri === undefined ? {} : { content_uri: file.contentUri }),
    ...(file.source === undefined ? {} : { source: file.source }),
  }
}

/** Parses file metadata in wire format. Throws if a field has the wrong type. */
export function fileMetadataFromWire(body: unknown): FileMetadata {
  const file = checkJsonObject(body, 'file metadata')
  const checksum = checkJsonObject(file.checksum, 'file metadata.checksum')
  return {
    path: checkJsonString(file.path, 'file metadata.path'),
    relativePath: checkOptionalString(file.relative_path, 'file metadata.relative_path'),
    links: file.links === 'follow' ? 'follow' : 'manage',
    owner: typeof file.owner === 'string' ? file.owner : Number(file.owner ?? 0),
    group: typeof file.group === 'string' ? file.group : Number(file.group ?? 0),
    mode: checkJsonNumber(file.mode ?? 0o644, 'file metadata.mode'),
    // Puppet Server sends null as the checksum of a link whose target does not exist.
    checksum:
      checksum.value === null
        ? { type: 'none', value: '{none}' }
        : {
            type: checkJsonString(checksum.type, 'file metadata.checksum.type'),
            value: checkJsonString(checksum.value, 'file metadata.checksum.value'),
          },
    type: file.type === 'directory' ? 'directory' : file.type === 'link' ? 'link' : 'file',
    destination: checkOptionalString(file.destination, 'file metadata.destination'),
    contentUri: checkOptionalString(file.content_uri, 'file metadata.content_uri'),
    source: checkOptionalString(file.source, 'file metadata.source'),
  }
}
