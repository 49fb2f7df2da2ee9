import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createLiveSettings } from '../../../src/machine/settings/live-settings.ts'
import { loadSettings } from '../../../src/machine/settings/settings.ts'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { createPartsTable, OpenParts } from '../../../src/server/parts/open-parts.ts'
import { definePart } from '../../../src/server/parts/part.ts'
import { serverParts } from '../../../src/server/parts/server-parts.ts'
import type { StartParameters } from '../../../src/server/parts/start-parameters.ts'

const live = createLiveSettings(loadSettings({ runMode: 'server', env: {} }))
const log = pino({ level: 'silent' })

/** Parts that note when they open and close; `answer` fails if `failure` is set. */
function notedParts(failure?: Error) {
  const events: string[] = []
  const closed = (name: string) => async () => {
    events.push(`closing ${name}`)
    await nextTurn()
    events.push(`closed ${name}`)
  }
  const number = definePart('number', [], async () => {
    events.push('number')
    return { value: 20, close: closed('number') }
  })
  const factor = definePart('factor', [], async () => {
    events.push('factor')
    await nextTurn()
    return { value: 2, alerts: () => [{ severity: 'info', message: 'twice' }], close: closed('factor') }
  })
  const answer = definePart('answer', [number, factor], ({ number, factor, version }) => {
    if (failure) throw failure
    return { value: `${number * factor} in ${version}`, close: closed('answer') }
  })
  return { events, number, factor, answer }
}

function starting(parts: OpenParts): StartParameters {
  const readSettings = () => live.settings
  const given = { settings: live.settings, live, log, readSettings, system: localSystem, version: '1', progress() {} }
  return { ...given, opened: () => parts.opened() }
}

describe('parts of a server', () => {
  it('open after those that they need, with their values, and close in the reverse order', async () => {
    const { events, number, factor, answer } = notedParts()
    const parts = new OpenParts()
    const table = createPartsTable<StartParameters>().add(number).add(factor).add(answer)
    expect((await table.open(starting(parts), parts)).answer).toBe('40 in 1')
    expect(parts.opened().flatMap(({ alerts }) => alerts?.() ?? [])).toEqual([{ severity: 'info', message: 'twice' }])
    await parts.close()
    expect(events).toEqual([
      ...['number', 'factor'],
      ...['answer', 'factor', 'number'].flatMap((name) => [`closing ${name}`, `closed ${name}`]),
    ])
  })

  it('of one row open and close side by side', async () => {
    const { events, number, factor, answer } = notedParts()
    const parts = new OpenParts()
    await createPartsTable<StartParameters>().add(factor, number).add(answer).open(starting(parts), parts)
    await parts.close()
    expect(events).toEqual([
      ...['factor', 'number', 'closing answer', 'closed answer'],
      ...['closing factor', 'closing number', 'closed factor', 'closed number'],
    ])
  })

  it('that are open close if a later one fails', async () => {
    const { events, number, factor, answer } = notedParts(new Error('no answer'))
    const parts = new OpenParts()
    const table = createPartsTable<StartParameters>().add(number, factor).add(answer)
    await expect(table.open(starting(parts), parts)).rejects.toThrow('no answer')
    await parts.close()
    expect(events.slice(2)).toEqual(['closing number', 'closing factor', 'closed number', 'closed factor'])
  })

  it('of a row close if the one beside them fails', async () => {
    const { events, number, factor } = notedParts()
    const failing = definePart('failing', [], async () => {
      throw new Error('failed first')
    })
    const parts = new OpenParts()
    const table = createPartsTable<StartParameters>().add(failing, factor).add(number)
    await expect(table.open(starting(parts), parts)).rejects.toThrow('failed first')
    await parts.close()
    expect(events).toEqual(['factor', 'closing factor', 'closed factor'])
  })

  it('do not compile before a part that they need', () => {
    const { number, factor, answer } = notedParts()
    // @ts-expect-error The factor is missing.
    const missing = createPartsTable<StartParameters>().add(number).add(answer)
    // @ts-expect-error The factor is in the same row, which opens side by side.
    const beside = createPartsTable<StartParameters>().add(number).add(factor, answer)
    expect([missing, beside].map(({ rows }) => rows.flat().map(({ name }) => name))).toEqual([
      ['number', 'answer'],
      ['number', 'factor', 'answer'],
    ])
  })
})

describe('the table of the server', () => {
  const names = serverParts.rows.flat().map(({ name }) => name)

  it('has a name for each part that no other part and no argument of the start has', () => {
    const given = Object.keys({ ...starting(new OpenParts()), given: {} })
    expect([...names, ...given].filter((name, index, all) => all.indexOf(name) !== index)).toEqual([])
  })

  it('has each part in a row below those that it needs', () => {
    const rowOf = (name: string) => serverParts.rows.findIndex((row) => row.some((each) => each.name === name))
    const wrong = serverParts.rows.flatMap((row, index) =>
      row.flatMap(({ name, needs }) =>
        needs.filter((need) => !(rowOf(need) < index)).map((need) => `${name}: ${need}`),
      ),
    )
    expect(wrong).toEqual([])
  })
})
