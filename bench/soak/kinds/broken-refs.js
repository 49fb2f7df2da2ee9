// Refs that name what is not there, what is no commit, and nothing at all.
import { pushedFor, pusherTo } from './pushed.js'

export const brokenRefs = {
  every: 25,
  async act(attack) {
    const { oid } = pusherTo(attack.repository).blob('no commit\n')
    await pushedFor(20_000, attack, { missing: 'deadbeef'.repeat(5), blob: oid, text: 'no object id at all' })
    return 'pushed'
  },
}
