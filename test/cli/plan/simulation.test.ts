import { describe, expect, it } from 'vitest'
import { createRandomNumbers, drawDuration } from '../../../src/cli/plan/random-numbers.ts'
import { type Run, type ServerSize, simulateServer, summarizeWaits } from '../../../src/cli/plan/simulation.ts'

const count = 200_000
/** Relative; three standard deviations of the mean of so many waits at the highest load. */
const tolerance = 0.06

/** Mean wait in milliseconds of Poisson arrivals at `rate` per millisecond. */
function meanWait(rate: number, size: ServerSize, work: (draw: (mean: number) => number) => Partial<Run>): number {
  const random = createRandomNumbers(7)
  let at = 0
  const runs = Array.from({ length: count }, () => {
    at += drawDuration(1 / rate, 1, random)
    return { at, loopMs: 0, backgroundMs: 0, compileMs: 0, ...work((mean) => drawDuration(mean, 1, random)) }
  })
  return simulateServer(runs, size).reduce((sum, each) => sum + each, 0) / count
}

/** Erlang's C formula: the probability that an arrival waits for one of `servers`, at `load` Erlang. */
function erlangC(servers: number, load: number): number {
  let blocking = 1
  for (let each = 1; each <= servers; each++) blocking = (load * blocking) / (each + load * blocking)
  return blocking / (1 - (load / servers) * (1 - blocking))
}

describe('the simulation of a server', () => {
  it.each([0.2, 0.5, 0.8])('agrees with M/M/1 at a load of %f', (load) => {
    const wait = meanWait(load / 10, { cores: 1, workers: 1 }, (draw) => ({ loopMs: draw(10) }))
    const expected = 10 / (1 - load)
    expect(Math.abs(wait - expected) / expected).toBeLessThan(tolerance)
  })

  it.each([0.3, 0.7])('agrees with M/D/1 at a load of %f', (load) => {
    const wait = meanWait(load / 10, { cores: 1, workers: 1 }, () => ({ loopMs: 10 }))
    const expected = 10 + (load * 10) / (2 * (1 - load))
    expect(Math.abs(wait - expected) / expected).toBeLessThan(tolerance)
  })

  it.each([
    [2, 0.5],
    [4, 0.8],
    [8, 0.9],
  ])('agrees with M/M/c with %i workers at a load of %f', (workers, load) => {
    const erlang = load * workers
    const wait = meanWait(erlang / 100, { cores: workers, workers }, (draw) => ({ compileMs: draw(100) }))
    const expected = 100 + (erlangC(workers, erlang) * 100) / (workers - erlang)
    expect(Math.abs(wait - expected) / expected).toBeLessThan(tolerance)
  })

  it('limits the event loop to one piece of work, and compilations to the workers', () => {
    const runs = [0, 0, 0].map((at) => ({ at, loopMs: 10, backgroundMs: 0, compileMs: 0 }))
    expect([...simulateServer(runs, { cores: 8, workers: 4 })]).toEqual([10, 20, 30])
    const compiled = [0, 0, 0, 0].map((at) => ({ at, loopMs: 0, backgroundMs: 0, compileMs: 100 }))
    expect([...simulateServer(compiled, { cores: 8, workers: 2 })]).toEqual([100, 100, 200, 200])
    expect([...simulateServer(compiled, { cores: 1, workers: 2 })]).toEqual([100, 200, 300, 400])
  })

  it('does not count background work as a wait, but lets it use processors', () => {
    const first = { at: 0, loopMs: 10, backgroundMs: 1000, compileMs: 0 }
    const second = { at: 20, loopMs: 10, backgroundMs: 0, compileMs: 0 }
    expect([...simulateServer([first, second], { cores: 2, workers: 1 })]).toEqual([10, 10])
    expect([...simulateServer([first, second], { cores: 1, workers: 1 })]).toEqual([10, 1000])
  })

  it('has no waits without runs', () => {
    expect(summarizeWaits(simulateServer([], { cores: 1, workers: 1 }))).toEqual({ medianMs: 0, p99Ms: 0 })
  })

  it('summarizes waits by rank', () => {
    const waits = Float64Array.from({ length: 100 }, (_, at) => 100 - at)
    expect(summarizeWaits(waits)).toEqual({ medianMs: 51, p99Ms: 100 })
  })
})

describe('random durations', () => {
  it.each([
    [1, 1],
    [4, 0.5],
    [16, 0.25],
  ])('of %i parts vary by %f of their mean', (parts, expected) => {
    const random = createRandomNumbers(3)
    const values = Array.from({ length: count }, () => drawDuration(50, parts, random))
    const mean = values.reduce((sum, each) => sum + each, 0) / count
    const deviation = Math.sqrt(values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / count)
    expect(mean).toBeCloseTo(50, 0)
    expect(deviation / mean).toBeCloseTo(expected, 1)
  })

  it('are reproducible', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, createRandomNumbers(seed))
    expect(draw(1)).toEqual(draw(1))
    expect(draw(1)).not.toEqual(draw(2))
  })
})
