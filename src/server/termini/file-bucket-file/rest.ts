import { limitBytes } from '../../../base/bytes/byte-limit.ts'
import { throwIssue } from '../../../base/issue.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { getRemotePuppet } from '../remote-puppet.ts'
import type { BucketFile, BucketRequest, BucketServices } from './index.ts'
import { bucketIssues } from './issues.ts'

/** The file bucket of another server. Puppet: indirector/file_bucket_file/rest.rb. */
export const rest: TerminusDefinition<BucketFile, BucketServices, BucketRequest> = {
  doc: 'The file bucket of the server in server_list or server.',
  create(services) {
    const remote = getRemotePuppet(services, 'file_bucket_file')
    const { bucket_max_file_size: most } = services.settings
    const toRemotePlace = ({ key, environment, diffWith }: BucketRequest) => ({
      ...{ indirection: 'file_bucket_file', key },
      query: { environment, diff_with: diffWith },
    })
    const throwTooLarge = () => throwIssue(bucketIssues.BUCKET_FILE_SIZE, { most })
    return {
      find: (request) => remote.open(toRemotePlace(request), request.head ? 'HEAD' : 'GET'),
      save: ({ size = 0, content }, request) =>
        size > most
          ? throwTooLarge()
          : remote.send(toRemotePlace(request), { size, content: limitBytes(most, content, throwTooLarge) }),
    }
  },
}
