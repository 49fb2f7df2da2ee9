import { describe, expect, it } from 'vitest'
import { openEventLog } from '../../../src/machine/windows/event-log.ts'

/** An event log that records command lines without the path of the program; `status` of a program that fails is its error. */
async function record(fail?: () => string | undefined) {
  const events: string[][] = []
  const lost: string[] = []
  const log = await openEventLog({
    lost: (why) => void lost.push(why),
    async run([program = '', ...words]) {
      expect(program).toMatch(/\/System32\/eventcreate\.exe$/)
      const why = fail?.()
      if (why !== undefined) throw new Error(why)
      events.push(words)
    },
  })
  return { log, events, lost }
}

const start = ['/L', 'APPLICATION', '/SO', 'Plumbline', '/T']

describe('the event log of Windows', () => {
  it.each([
    ['debug', 'INFORMATION', '1'],
    ['info', 'INFORMATION', '1'],
    ['notice', 'INFORMATION', '1'],
    ['warning', 'WARNING', '2'],
    ['err', 'ERROR', '3'],
    ['alert', 'ERROR', '3'],
    ['crit', 'ERROR', '3'],
    ['emerg', 'ERROR', '3'],
  ] as const)('writes %s as Puppet does: %s with ID %s', async (level, type, id) => {
    const { log, events } = await record()
    log.write(level, 'a "text" & %PATH%')
    await log.close()
    expect(events).toEqual([[...start, type, '/ID', id, '/D', 'a "text" & %PATH%']])
  })

  it('joins lines of one type that arrive together, in their order', async () => {
    const { log, events } = await record()
    for (const line of ['one', 'two']) log.write('notice', line)
    log.write('err', 'three')
    log.write('info', 'four')
    await log.close()
    expect(events.map((words) => words.at(-1))).toEqual(['one\ntwo', 'three', 'four'])
  })

  it('truncates a long line, and starts another event for a long text', async () => {
    const { log, events } = await record()
    log.write('notice', 'x'.repeat(40_000))
    log.write('notice', 'y')
    await log.close()
    expect(events.map((words) => words.at(-1)!.length)).toEqual([15_000, 1])
    expect(events[0]!.at(-1)).toMatch(/x\.\.\.Message exceeds character length limit, truncating\.$/)
  })

  it('reports lost events once, and keeps at most 1,000', async () => {
    let isFailing = true
    const { log, events, lost } = await record(() => (isFailing ? 'denied' : undefined))
    log.write('notice', 'lost')
    log.write('err', 'lost, too')
    await log.close()
    expect(lost).toEqual(['denied'])
    isFailing = false
    for (let count = 0; count < 1100; count++) log.write(count % 2 === 0 ? 'notice' : 'err', 'x')
    await log.close()
    expect(events).toHaveLength(1000)
    expect(lost).toEqual(['denied'])
    isFailing = true
    log.write('notice', 'lost again')
    await log.close()
    expect(lost).toEqual(['denied', 'denied'])
  })
})
