import { describe, expect, it } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { ReviewQueue } from '../../../src/server/review/review-queue.ts'

/** A queue whose reviews end when the test says so. */
function openQueue() {
  const begun: string[] = []
  const said: string[] = []
  const ends: ((error?: Error) => void)[] = []
  const queue = new ReviewQueue({
    run: (source, number) => {
      begun.push(`${source} ${number}`)
      return new Promise((done, failed) => ends.push((error) => (error ? failed(error) : done())))
    },
    log: (level, message) => said.push(`${level}: ${message}`),
  })
  const end = async (error?: Error) => {
    ends.shift()!(error)
    await new Promise((done) => setImmediate(done))
  }
  return { queue, begun, said, end }
}

describe('merge requests that wait for their review', () => {
  it('are reviewed one at a time, once for all webhooks of the time', async () => {
    const { queue, begun, end } = openQueue()
    for (const number of [1, 2, 2, 2, 3, 2]) queue.add('control', number)
    queue.add('other', 1)
    expect(begun).toEqual(['control 1'])
    await end()
    expect(begun).toEqual(['control 1', 'control 2'])
    for (let left = 3; left > 0; left--) await end()
    expect(begun).toEqual(['control 1', 'control 2', 'control 3', 'other 1'])
    await queue.close()
  })

  it('are reviewed again if a webhook tells of one that is being reviewed', async () => {
    const { queue, begun, end } = openQueue()
    queue.add('control', 1)
    queue.add('control', 1)
    queue.add('control', 1)
    await end()
    expect(begun).toEqual(['control 1', 'control 1'])
    await end()
    queue.add('control', 1)
    expect(begun).toHaveLength(3)
    await end()
    await queue.close()
  })

  it('go on after an error, which the log has without control characters', async () => {
    const { queue, begun, said, end } = openQueue()
    queue.add('control', 1)
    queue.add('control', 2)
    await end(new Error('no \u001b[31m'))
    expect(said).toEqual(['warn: Merge request 1 of control was not reviewed: no \\x1b[31m'])
    expect(begun).toEqual(['control 1', 'control 2'])
    await end()
    await queue.close()
  })

  it('are bounded', async () => {
    const { queue, said, end } = openQueue()
    const { bound } = budgets.review.waiting
    for (let number = 1; number <= bound + 3; number++) queue.add('control', number)
    expect(said).toEqual([
      `warn: Merge request ${bound + 2} of control is not reviewed: too many are waiting`,
      `warn: Merge request ${bound + 3} of control is not reviewed: too many are waiting`,
    ])
    const closed = queue.close()
    await end()
    await closed
    queue.add('control', 1)
    expect(said).toHaveLength(2)
  })
})
