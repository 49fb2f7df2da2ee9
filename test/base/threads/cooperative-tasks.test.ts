import { setImmediate as roundOfTheLoop } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { mapCooperatively } from '../../../src/base/threads/cooperative-tasks.ts'

it('gives what map gives, and lets others in between', async () => {
  let turns = 0
  let done = false
  const count = () => {
    turns++
    if (!done) setImmediate(count)
  }
  setImmediate(count)
  const slow = (item: number) => {
    const until = performance.now() + 3
    while (performance.now() < until);
    return item * 2
  }
  const results = await mapCooperatively([1, 2, 3, 4, 5, 6, 7, 8], slow)
  done = true
  expect(results).toEqual([2, 4, 6, 8, 10, 12, 14, 16])
  expect(turns).toBeGreaterThanOrEqual(3)
})

it('takes one turn for all that is done at once', async () => {
  const spin = () => {
    const until = performance.now() + 6
    while (performance.now() < until);
  }
  const all = Array.from({ length: 20 }, () => mapCooperatively([1, 2, 3], spin))
  let done = false
  const ended = Promise.all(all).then(() => (done = true))
  let rounds = 0
  for (; !done; rounds++) await roundOfTheLoop()
  await ended
  // Sixty pieces of work, each a turn of its own; twenty works that each take a turn would be done in three rounds.
  expect(rounds).toBeGreaterThan(50)
})
