import { describe, expect, it } from 'vitest'
import { computeCompiledShare, planCapacity, type SiteFigures } from '../../../src/cli/plan/capacity-plan.ts'
import { defaultCosts, type OperationCosts } from '../../../src/cli/plan/operation-costs.ts'

const site: SiteFigures = {
  nodes: 10_000,
  intervalSeconds: 1800,
  windowSeconds: 1800,
  resources: 500,
  recalled: 0.97,
  pushesPerDay: 10,
  changed: 0.2,
  ruby: 0.05,
  queriesPerSecond: 1,
  cores: 4,
  spare: 1,
  waitSeconds: 10,
  reportDays: 14,
}
const plan = (changes: Partial<SiteFigures> = {}, costs: Partial<OperationCosts> = {}) =>
  planCapacity({ ...site, ...changes }, { ...defaultCosts, ...costs })

describe('the plan of a site', () => {
  it('is reproducible', () => {
    expect(plan()).toEqual(plan())
  })

  it('has the number of runs that the interval gives', () => {
    expect(plan({ nodes: 1800 }).runsPerSecond).toBe(1)
    expect(plan({ nodes: 1800, intervalSeconds: 900, windowSeconds: 900 }).runsPerSecond).toBe(2)
  })

  it.each([
    ['nodes', [1000, 10_000, 100_000, 1_000_000]],
    ['resources', [100, 1000, 10_000]],
    ['changed', [0, 0.5, 1]],
    ['ruby', [0, 0.5, 1]],
    ['spare', [0, 1, 3]],
  ] as const)('needs no fewer servers with more %s', (figure, values) => {
    const servers = values.map((value) => plan({ [figure]: value, waitSeconds: 60 }).servers)
    expect(servers).toEqual(servers.toSorted((one, other) => one - other))
  })

  it.each([
    ['cores', [1, 2, 8, 32]],
    ['recalled', [0, 0.5, 0.99]],
    ['intervalSeconds', [1800, 3600, 7200]],
    ['waitSeconds', [1, 10, 60]],
  ] as const)('needs no more servers with more %s', (figure, values) => {
    const servers = values.map((value) => plan({ nodes: 100_000, [figure]: value }).servers)
    expect(servers).toEqual(servers.toSorted((one, other) => other - one))
  })

  it.each([2, 4, 8])('divides the load of one server among %i', (servers) => {
    const [one, many] = [1, servers].map((each) =>
      plan({ servers: each, pushesPerDay: 0, queriesPerSecond: 0 }, { idleMs: 0 }),
    )
    expect(many!.load.eventLoop).toBeCloseTo(one!.load.eventLoop / servers, 10)
    expect(many!.load.processor).toBeCloseTo(one!.load.processor / servers, 10)
  })

  it('shows that runs wait longer after a push, and longest with fewer servers', () => {
    const { wait } = plan({ nodes: 100_000, servers: 4, changed: 0.5 })
    expect(wait.afterPush.p99Ms).toBeGreaterThan(wait.steady.p99Ms)
    expect(wait.afterPushWithLoss!.p99Ms).toBeGreaterThan(wait.afterPush.p99Ms)
  })

  it('has no wait after the loss of the only server', () => {
    expect(plan({ servers: 1, spare: 0 }).wait.afterPushWithLoss).toBeUndefined()
  })

  it('lets runs wait that start in the same minute', () => {
    const together = plan({ windowSeconds: 60, servers: 2 })
    expect(together.wait.steady.medianMs).toBeGreaterThan(10 * plan({ servers: 2 }).wait.steady.medianMs)
  })

  it('rejects a wait shorter than one compilation', () => {
    expect(() => plan({ waitSeconds: 0.01 })).toThrow(
      /^No number of servers keeps the wait for a catalog after a push below 0.01 s/,
    )
  })

  it('keeps the load of the servers that remain after a loss below 70 %', () => {
    const { servers, load } = plan({ nodes: 1_000_000, waitSeconds: 1000 })
    expect((Math.max(load.eventLoop, load.processor) * servers) / (servers - 1)).toBeLessThanOrEqual(0.7)
    expect(servers).toBeGreaterThan(5)
  })

  it('grows the database by nodes and by the time that reports are kept', () => {
    const size = (changes: Partial<SiteFigures>) => plan(changes).database.sizeGib
    expect(size({ nodes: 20_000 })).toBeCloseTo(2 * size({}), 6)
    expect(size({ reportDays: 28 })).toBeGreaterThan(1.5 * size({}))
  })
})

describe('the share of compiled catalogs', () => {
  it.each([
    ['without pushes', { pushesPerDay: 0 }, 1, 0.03],
    ['with one server', { pushesPerDay: 48, changed: 1, recalled: 1 }, 1, 1],
    ['with a push every tenth run', { pushesPerDay: 4.8, changed: 0.5, recalled: 1 }, 1, 0.05],
    ['on each of two servers', { pushesPerDay: 4.8, changed: 0.5, recalled: 1 }, 2, 0.1],
    ['on more servers than runs between pushes', { pushesPerDay: 4.8, changed: 0.5, recalled: 1 }, 99, 0.5],
  ])('%s', (_, changes, servers, expected) => {
    expect(computeCompiledShare({ ...site, ...changes }, servers)).toBeCloseTo(expected, 10)
  })
})
