// Uploads to the file bucket that announce 200 MB and break off.
import { captured } from '../place.js'

const chunk = Buffer.alloc(1024 * 1024, 'aborted')
const times = 200

export const abortedUploads = {
  every: 15,
  act: ({ together, ask }) =>
    together(5, async (number) => {
      const path = `/puppet/v3/file_bucket_file/sha256/${'1'.repeat(64)}/srv/aborted${number}?environment=production`
      const body = { chunk, times }
      const call = { method: 'PUT', path, type: 'application/octet-stream', body, cutAfterMs: 100 + 50 * number }
      return (await ask(captured[number], call)).status
    }),
}
