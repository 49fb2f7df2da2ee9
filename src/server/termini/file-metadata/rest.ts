import { parseJson } from '../../../base/json/json-text.ts'
import { type FileMetadata, fileMetadataFromWire } from '../../../model/file-metadata.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { getRemotePuppet } from '../remote-puppet.ts'
import type { FileMetadataRequest, FileServices } from './index.ts'

/** Metadata of files on another server. Puppet: indirector/file_metadata/rest.rb. */
export const rest: TerminusDefinition<FileMetadata, FileServices, FileMetadataRequest> = {
  doc: 'The files of the server in server_list or server.',
  create(services) {
    const remote = getRemotePuppet(services, 'file_metadata')
    const { readText } = services
    const toRemoteQuery = ({ environment, query }: FileMetadataRequest) => ({
      ...{ environment, links: query.links },
      ...{ checksum_type: query.checksumType, source_permissions: query.sourcePermissions },
    })
    return {
      async find(request) {
        const place = { indirection: 'file_metadata', key: request.key, query: toRemoteQuery(request) }
        const text = await remote.find(place)
        return text && fileMetadataFromWire(parseJson(text.toString('utf8')))
      },
      async search(request) {
        const { recurse, recurselimit, maxFiles, ignore } = request.query
        const query = { ...toRemoteQuery(request), recurse, recurselimit, max_files: maxFiles, ignore }
        const text = await remote.find({ indirection: 'file_metadatas', key: request.key, query })
        return text && readText('wireFiles', text, '')
      },
    }
  },
}
