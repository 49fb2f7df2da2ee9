import { describe, expect, it } from 'vitest'
import { type CertificateStatus, createBrokenStatus } from '../../src/ca/certificate-status.ts'
import { countExpiringNodes, isExpiring } from '../../src/ca/expiring-certificates.ts'
import { formatInventoryTime } from '../../src/ca/inventory.ts'

const dayMs = 86_400_000
const now = new Date('2026-11-28T12:00:00Z')
const inDays = (days: number, ms = 0) => new Date(now.getTime() + days * dayMs + ms)

describe('an end is near', () => {
  it.each([
    ['a long life in its last 60 days', -1000, 60, -1, true],
    ['a long life before that', -1000, 60, 0, false],
    ['a life of 240 days', -180, 60, 0, false],
    ['a short life in its last quarter', -75, 25, -1, true],
    ['a short life before that', -75, 25, 0, false],
    ['what has ended', -100, -1, 0, true],
  ])('%s', (_, from, to, ms, expected) => {
    expect(isExpiring({ notBefore: inDays(from, ms), notAfter: inDays(to, ms) }, now)).toBe(expected)
  })
})

it('certificates of nodes that soon end are counted, and the first is named', async () => {
  const status = (name: string, to: number, ms = 0) =>
    ({
      ...createBrokenStatus(name, ''),
      not_before: formatInventoryTime(inDays(-1000)),
      not_after: formatInventoryTime(inDays(to, ms)),
    }) as CertificateStatus
  const endings = (...slices: (readonly CertificateStatus[])[]) =>
    countExpiringNodes(
      (async function* () {
        yield* slices
      })(),
      now,
      'own.test',
    )
  const good = [status('good.test', 61), status('ended.test', 0, -1000), createBrokenStatus('broken.test', '')]
  expect(await endings(good)).toEqual({ count: 0 })
  expect(await endings([status('own.test', 3), status('b.test', 20)], [...good, status('a.test', 10)])).toEqual({
    count: 2,
    first: { name: 'a.test', notAfter: inDays(10) },
  })
  expect(await endings([status('a.test', 10), status('b.test', 20), status('c.test', 10)])).toEqual({
    count: 3,
    first: { name: 'a.test', notAfter: inDays(10) },
  })
  expect(await endings([status('now.test', 0)])).toMatchObject({ count: 1 })
})
