// Paths and names that lead out of where they should stay.
import { Breach } from '../attack.js'
import { captured } from '../place.js'

const up = [
  '../'.repeat(12),
  '..%2f'.repeat(12),
  '%2e%2e/'.repeat(12),
  '..%5c'.repeat(12),
  '....//'.repeat(12),
  '..%c0%af'.repeat(12),
  '%2e%2e%2f'.repeat(12),
  '..%00/'.repeat(12),
]
const before = [
  '/puppet/v3/file_content/modules/ssh/',
  '/puppet/v3/file_content/plugins/',
  '/puppet/v3/static_file_content/modules/ssh/files/',
  '/puppet/v3/file_bucket_file/sha256/',
  '/puppet-ca/v1/certificate/',
  '/puppet/v3/node/',
  '/status/v1/simple/',
]
let count = 0

export const pathTraversals = {
  every: 5,
  act: ({ together, ask }) =>
    together(up.length, async (number) => {
      const path = `${before[count++ % before.length]}${up[number]}etc/passwd?environment=production&code_id=HEAD`
      const { status, body } = await ask(captured[7], { path })
      if (body.includes('root:x:0:0')) throw new Breach(`${path} gave /etc/passwd`)
      return status
    }),
}
