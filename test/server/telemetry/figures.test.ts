import { isSpanContextValid } from '@opentelemetry/api'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { budgets } from '../../../src/base/budgets/budgets.ts'
import { runInSpan } from '../../../src/base/tracing.ts'
import { ValueDistribution } from '../../../src/server/telemetry/distribution.ts'
import { EnvironmentLabels } from '../../../src/server/telemetry/environment-labels.ts'
import { Rates } from '../../../src/server/telemetry/rates.ts'
import { getRouteId, routeIds } from '../../../src/server/telemetry/route-ids.ts'
import { StallWatch } from '../../../src/server/telemetry/stall-watch.ts'

describe('a distribution', () => {
  it('knows the values of the last minutes to a hundredth of themselves', () => {
    const times = new ValueDistribution(1000, () => 0)
    for (let value = 1; value <= 1000; value++) times.add(value)
    const { count, mean, min, max, percentile } = times.summary()
    expect(count).toBe(1000)
    const close = (value: number, wanted: number) => expect(Math.abs(value - wanted) / wanted).toBeLessThan(0.01)
    close(mean, 500.5)
    close(min, 1)
    close(max, 1000)
    for (const part of [50, 75, 95, 99]) close(percentile(part), part * 10)
  })

  it('forgets what is older than two halves of its window, and never how many there were', () => {
    let now = 0
    const times = new ValueDistribution(1, () => now)
    times.add(7)
    now = 299_999
    times.add(9)
    expect([times.summary().min, times.summary().max]).toEqual([7, 9])
    now = 300_001
    times.add(11)
    expect(times.summary().min).toBe(7)
    now = 600_002
    expect(times.summary().min).toBe(11)
    now = 5_000_000
    expect(times.summary()).toMatchObject({ count: 3, mean: 0, min: 0, max: 0, stddev: 0 })
  })

  it('takes 0, and what is beyond its highest value', () => {
    const times = new ValueDistribution(1000, () => 0)
    times.add(0)
    times.add(1e12)
    expect(times.summary().min).toBe(0)
    expect(times.summary().max).toBeGreaterThan(3_500_000)
  })
})

describe('rates', () => {
  it('are those of a load of Unix: the first tick is taken as it is, then they follow', () => {
    let now = 0
    const rates = new Rates(() => now)
    for (let count = 0; count < 50; count++) rates.mark()
    now = 5000
    expect(rates.rates()).toEqual({ mean: 10, oneMinute: 10, fiveMinutes: 10, fifteenMinutes: 10 })
    now = 65_000
    const later = rates.rates()
    expect(later.oneMinute).toBeCloseTo(10 * Math.exp(-1), 10)
    expect(later.fiveMinutes).toBeCloseTo(10 * Math.exp(-1 / 5), 10)
    expect(later.fifteenMinutes).toBeCloseTo(10 * Math.exp(-1 / 15), 10)
    expect(later.mean).toBeCloseTo(50 / 65, 10)
  })
})

describe('labels of environments', () => {
  it('are so many, and all others one; who goes makes room', () => {
    const labels = new EnvironmentLabels()
    const { bound } = budgets.telemetry.environments
    for (let number = 0; number < bound; number++) expect(labels.of(`e${number}`)).toBe(`e${number}`)
    expect([labels.of('late'), labels.of('e0')]).toEqual(['other', 'e0'])
    labels.forget('e0')
    expect([labels.of('late'), labels.of('e0')]).toEqual(['late', 'other'])
  })
})

describe('ids of routes', () => {
  it.each<[string, string | undefined]>([
    ['/puppet/v3/catalog/*', 'puppet-v3-catalog-/*/'],
    ['/puppet/v3/environments', 'puppet-v3-environments'],
    ['/puppet/v3/environment_classes', 'other'],
    ['/puppet/v3/tasks', 'puppet-v3-tasks'],
    ['/puppet/v3/tasks/:module/:task', 'puppet-v3-tasks-:module-name-:task-name'],
    ['/puppet/v4/catalog', 'puppet-v4-catalog'],
    ['/puppet/v3/none/*', 'other'],
    ['/status/v1/simple', undefined],
    ['none', undefined],
  ])('%s: %s', (route, id) => {
    expect(getRouteId(route)).toBe(id)
    if (id !== undefined) expect(routeIds).toContain(id)
  })
})

describe('a watch over stalls', () => {
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it('says for how long nobody was answered, and what was under way; in a flood once a second', () => {
    // A clock of the test's own: on a busy machine the event loop stands still for others, too.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    /** One look of the watch, so long after the last. */
    const lookAfter = (ms: number) => {
      now += ms
      vi.advanceTimersByTime(50)
    }
    const said: [object, string][] = []
    let stalls = 0
    let bound = 150
    const watch = new StallWatch({
      stallMs: () => bound,
      slowMs: () => 1000,
      warn: (details, message) => said.push([details, message]),
      stalled: () => stalls++,
    })
    const request = { id: 'r-1', method: 'GET', routeOptions: { url: '/x/*' } } as never
    lookAfter(300)
    watch.began(request)
    lookAfter(60)
    expect(said).toEqual([])
    lookAfter(350)
    lookAfter(50)
    lookAfter(350)
    expect([said.length, stalls]).toEqual([1, 2])
    const [details, message] = said[0]!
    expect(message).toBe('the event loop was blocked; no request was processed')
    expect(details).toEqual({
      ms: 300,
      requests: [{ request: 'r-1', method: 'GET', route: '/x/*', ms: 410 }],
    })
    lookAfter(1000)
    expect([said.length, stalls]).toEqual([2, 3])
    expect(said[1]![0]).toMatchObject({ ms: 950, more: 1 })
    bound = 0
    lookAfter(1100)
    expect(stalls).toBe(3)
    watch.close()
  })

  it('says which request took long', () => {
    const said: object[] = []
    const watch = new StallWatch({
      stallMs: () => 0,
      slowMs: () => 1000,
      warn: (details) => said.push(details),
      stalled: () => {},
    })
    const ended = { id: 'r-2', method: 'GET', path: '/x/y', route: '/x/*' }
    for (const ms of [999, 1001]) watch.ended({ ...ended, ms } as never, {} as never)
    expect(said).toEqual([{ request: 'r-2', method: 'GET', path: '/x/y', ms: 1001 }])
    watch.close()
  })
})

describe('a span without an SDK', () => {
  it('is none, and its work is done', async () => {
    const done = runInSpan('none', { a: 1 }, async (span) => [
      isSpanContextValid(span.spanContext()),
      span.isRecording(),
    ])
    expect(await done).toEqual([false, false])
    await expect(runInSpan('none', {}, () => Promise.reject(new Error('of the work')))).rejects.toThrow('of the work')
  })
})
