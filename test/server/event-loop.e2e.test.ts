// Own process: it measures pauses of its event loop.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LoopDelay, watchEventLoop } from '../../src/server/telemetry/event-loop.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

let repository: ControlRepository
let serving: Serving

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': 'node default { }\n' })
  serving = await serve({ code_repo: repository.bare })
})

afterAll(async () => {
  await serving?.stop()
})

/** Nobody is answered meanwhile. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

describe('the delay of the event loop', () => {
  it('is part of what the status says to who may see all of it', async () => {
    const look = async (): Promise<LoopDelay> => {
      const answer = await serving.call('GET', '/status/v1/services?level=debug', { as: 'admin.test' })
      return JSON.parse(answer.text)['status-service'].status['event-loop-delay-ms']
    }
    const before = await look()
    standStill(before.max + 500)
    await expect.poll(async () => (await look()).max).toBeGreaterThan(before.max + 400)
    const after = await look()
    expect(Object.keys(after).sort()).toEqual(['max', 'p50', 'p99'])
    expect((await look()).max).toBeGreaterThanOrEqual(after.max)
  })

  it('is of the last minute that is over', async () => {
    const watch = watchEventLoop(3000)
    // Each minute has a delay until one is seen: Node does not report its first measurement, and a slow machine may miss a minute.
    const delayAndRead = () => {
      standStill(2000)
      return watch.delay().max
    }
    await expect.poll(delayAndRead, { interval: 50 }).toBeGreaterThan(1900)
    await expect.poll(() => watch.delay().max).toBeLessThan(1900)
    watch.close()
  })
})
