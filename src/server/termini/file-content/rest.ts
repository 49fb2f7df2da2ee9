import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import type { FileServices } from '../file-metadata/index.ts'
import { getRemotePuppet } from '../remote-puppet.ts'
import type { FileContent, FileContentRequest } from './index.ts'

/**
 * Content of files on another server; with `code_id`, at that commit. Puppet:
 * indirector/file_content/rest.rb.
 */
export const rest: TerminusDefinition<FileContent, FileServices, FileContentRequest> = {
  doc: 'The files of the server in server_list or server.',
  create(services) {
    const remote = getRemotePuppet(services, 'file_content')
    return {
      find: ({ key, environment, codeId }) =>
        codeId === undefined
          ? remote.open({ indirection: 'file_content', key, query: { environment } })
          : remote.open({ indirection: 'static_file_content', key, query: { environment, code_id: codeId } }),
    }
  },
}
