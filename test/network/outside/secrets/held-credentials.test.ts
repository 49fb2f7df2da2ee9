import { expect, it } from 'vitest'
import { HeldCredentials } from '../../../../src/network/outside/secrets/held-credentials.ts'

const minute = 60_000

it.each([
  ['an hour', 60 * minute, 55 * minute],
  ['less than the margin', 2 * minute, minute],
  ['no time', -minute, minute],
  ['an unknown time', Number.NaN, 5 * minute],
  ['a time without end', Infinity, 1440 * minute],
])('credentials that are valid for %s are fetched again after a while', async (_, lifetime, held) => {
  let [now, fetched] = [1_000_000, 0]
  const credentials = new HeldCredentials<number>(() => now)
  const fetch = async () => ({ credentials: ++fetched, expires: now + lifetime })
  const find = () =>
    credentials.use(
      { key: 'k', fetch },
      async (each) => each,
      () => false,
    )
  expect(await find()).toBe(1)
  now += held - 1
  expect(await find()).toBe(1)
  now += 1
  expect(await find()).toBe(2)
})
