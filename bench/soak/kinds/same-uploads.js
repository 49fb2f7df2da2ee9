// Uploads of the same bytes at the same time, under different paths.
import { createHash, randomBytes } from 'node:crypto'
import { captured } from '../place.js'

export const sameUploads = {
  every: 5,
  async act({ together, ask }) {
    const body = randomBytes(256 * 1024)
    const sum = createHash('sha256').update(body).digest('hex')
    return together(8, async (number) => {
      const path = `/puppet/v3/file_bucket_file/sha256/${sum}/etc/file${number}?environment=production`
      return (await ask(captured[number], { method: 'PUT', path, type: 'application/octet-stream', body })).status
    })
  },
}
