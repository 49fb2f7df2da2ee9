// Refs that name what is not there, and what is no commit.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const brokenRefs = {
  every: 40,
  async act({ repository, git, pause }) {
    const blob = git(['hash-object', '-w', '--stdin'], 'no commit\n')
    const refs = { missing: 'deadbeef'.repeat(5), blob, text: 'no object id at all' }
    for (const [name, value] of Object.entries(refs)) writeFileSync(join(repository, 'refs/heads', name), `${value}\n`)
    try {
      await pause(8000)
    } finally {
      for (const name of Object.keys(refs)) rmSync(join(repository, 'refs/heads', name), { force: true })
    }
    return 'pushed'
  },
}
