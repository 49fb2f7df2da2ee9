import { upTo } from '../../../base/bytes/up-to.ts'
import { fail } from '../../../base/issue.ts'
import type { TerminusDefinition } from '../../../model/indirector/terminus.ts'
import { remoteOf } from '../remote-puppet.ts'
import type { BucketFile, BucketRequest, BucketServices } from './index.ts'
import { bucketIssues } from './issues.ts'

/** The file bucket of another server. Puppet: indirector/file_bucket_file/rest.rb. */
export const rest: TerminusDefinition<BucketFile, BucketServices, BucketRequest> = {
  doc: 'The bucket of the server of server_list or server.',
  create(services) {
    const remote = remoteOf(services, 'file_bucket_file')
    const { bucket_max_file_size: most } = services.settings
    const placeOf = ({ key, environment, diffWith }: BucketRequest) => ({
      ...{ indirection: 'file_bucket_file', key },
      query: { environment, diff_with: diffWith },
    })
    const tooLarge = () => fail(bucketIssues.BUCKET_FILE_SIZE, { most })
    return {
      find: (request) => remote.open(placeOf(request), request.head ? 'HEAD' : 'GET'),
      save: ({ size = 0, content }, request) =>
        size > most ? tooLarge() : remote.send(placeOf(request), { size, content: upTo(most, content, tooLarge) }),
    }
  },
}
