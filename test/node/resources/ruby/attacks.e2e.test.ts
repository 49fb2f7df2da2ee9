import { describe, expect, it } from 'vitest'
import { localSystem } from '../../../../src/machine/system/local-system.ts'
import { createLog } from '../../../../src/node/agent/log.ts'
import { withRunTimeout } from '../../../../src/node/agent/process/run-timeout.ts'
import { spring } from './snares.ts'

describe('a provider that does not end', () => {
  it('ends with the time of its run', async () => {
    const outcomes = await Promise.all(['loop {}', 'sleep 600', 'system("sleep 600")'].map(withinSeconds))
    for (const { status, sprung, said } of outcomes) {
      expect(status).toBe(1)
      expect(said).toEqual([
        `Execution of Puppet configuration client did not complete within ${seconds} seconds and was terminated.`,
      ])
      expect(sprung).toMatchObject({ applied: true, failed: ['0'] })
      expect(sprung?.skipped).toContain('1')
      expect(sprung?.lines).toContain("err: change from 'old' to 'new' failed: execution expired")
    }
  })
})

/** Enough for three of Ruby to start on a busy machine. */
const seconds = 30

/** Springs a snare, and would another one, in a run that has only so much time. */
async function withinSeconds(code: string) {
  const said: string[] = []
  const log = createLog({ write: ({ message }) => void said.push(message) })
  const stop = new AbortController().signal
  let sprung: Awaited<ReturnType<typeof spring>> | undefined
  const status = await withRunTimeout(
    { settings: { runtimeout: seconds }, system: localSystem, log, stop },
    async (limits) => {
      sprung = await spring([code, '1'], "'new'", limits)
    },
  )
  return { status, sprung, said }
}
