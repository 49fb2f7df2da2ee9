import { createIndirection } from '../../model/indirector/indirection.ts'
import { fileBucketFile } from '../termini/file-bucket-file/index.ts'
import { fileContent } from '../termini/file-content/index.ts'
import { fileMetadata } from '../termini/file-metadata/index.ts'
import type { IndirectionParts } from './service-parts.ts'
import type { Services } from './services.ts'

/** Indirections for files of environments and mounts, and for the file bucket. */
export function createFileIndirections({
  parts,
  remote,
  readText,
  route,
  common,
}: IndirectionParts): Pick<Services, 'fileMetadata' | 'fileContent' | 'fileBucketFile'> {
  const { settings, environments, mounts } = parts
  const { files, commands } = parts.system
  const served = { environments, mounts, remote, readText }
  const bucket = { files, commands, settings, remote }
  return {
    fileMetadata: createIndirection(fileMetadata, served, route('file_metadata', 'file_server'), common),
    fileContent: createIndirection(fileContent, served, route('file_content', 'file_server'), common),
    fileBucketFile: createIndirection(fileBucketFile, bucket, route('file_bucket_file', 'file'), common),
  }
}
