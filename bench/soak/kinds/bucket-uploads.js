// Three uploads of 200 MB to the file bucket at once.
import { captured } from '../place.js'

const chunk = Buffer.alloc(1024 * 1024, 'backup')
const times = 200

export const bucketUploads = {
  every: 45,
  act: ({ together, ask }) =>
    together(3, async (number) => {
      const path = `/puppet/v3/file_bucket_file/sha256/${'0'.repeat(64)}/srv/large${number}?environment=production`
      const body = { chunk, times }
      return (await ask(captured[number], { method: 'PUT', path, type: 'application/octet-stream', body })).status
    }),
}
