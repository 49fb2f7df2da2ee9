import { spawn } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { listDiscardedCommands } from '../../src/store/queue/discarded-commands.ts'
import { Store } from '../../src/store/thread/store.ts'
import { chanceOf } from '../support/chance.js'
import { isNight, seed } from '../support/nightly.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { datasetCommands } from './dataset/commands.js'
import { payloadText } from './dataset/load.js'

const rounds = isNight ? 200 : 6
const minute = 60_000
const chance = chanceOf(seed)

async function rowsOf(store: Store, path: string, query: unknown): Promise<readonly Record<string, unknown>[]> {
  const answer = await store.ask({ method: 'GET', path, search: `query=${encodeURIComponent(JSON.stringify(query))}` })
  let text = ''
  for await (const piece of answer!.pieces) text += piece
  return JSON.parse(text)
}

function submitted({ command, version, payload }: ReturnType<typeof datasetCommands>[number]) {
  return { name: command, version, certname: payload.certname, payload: Buffer.from(payloadText(payload)) }
}

describe('a store', () => {
  test('answers from what it was told, also after it was opened again', async () => {
    const folder = scratchFolder('told')
    const commands = datasetCommands().filter(({ payload }) => payload.certname === 'web01.example.com')
    const store = await Store.open({ folder })
    for (const command of commands)
      expect(await store.submitAndWait(submitted(command), minute)).toMatchObject({ processed: { problem: undefined } })
    const before = await rowsOf(store, '/facts', ['=', 'certname', 'web01.example.com'])
    expect(before.length).toBeGreaterThan(20)
    await store.close()
    const again = await Store.open({ folder })
    expect(await rowsOf(again, '/facts', ['=', 'certname', 'web01.example.com'])).toEqual(before)
    expect(await again.ask({ method: 'GET', path: '/nothing', search: '' })).toBeUndefined()
    await expect(rowsOf(again, '/nodes', ['=', 'nothing', 1])).rejects.toMatchObject({
      diagnostic: { code: 'INVALID_QUERY' },
    })
    await again.close()
  })

  test('keeps a command that nobody can read, and goes on', async () => {
    const folder = scratchFolder('unreadable')
    const told: string[] = []
    const store = await Store.open({ folder, discarded: (_, problem) => told.push(problem) })
    const wrong = {
      name: 'replace facts',
      version: 5,
      certname: 'a.test',
      payload: Buffer.from('{"certname":1}'),
    } as const
    const { processed } = await store.submitAndWait(wrong, minute)
    expect(processed?.problem).toBeDefined()
    expect(told).toEqual([processed?.problem])
    const [command] = datasetCommands()
    expect((await store.submitAndWait(submitted(command!), minute)).processed).toEqual({ problem: undefined })
    expect(await listDiscardedCommands(join(folder, 'queue'))).toMatchObject([
      { certname: 'a.test', name: 'replace facts' },
    ])
    await store.close()
  })

  test('keeps a command apart that no database takes, and applies those around it', async () => {
    const folder = scratchFolder('unwritable')
    const store = await Store.open({ folder })
    const [first] = datasetCommands()
    const report = datasetCommands().find(({ command, version }) => command === 'store report' && version === 8)!
    const text = payloadText(report.payload).replace(/"report_format":\d+/, '"report_format":900719925474099312345')
    const wrong = { name: 'store report', version: 8, certname: 'a.test', payload: Buffer.from(text) } as const
    const [, bad, good] = await Promise.all([
      store.submit(submitted(first!)),
      store.submitAndWait(wrong, minute),
      store.submitAndWait(submitted(report), minute),
    ])
    expect(bad.processed?.problem).toBeDefined()
    expect(good.processed).toEqual({ problem: undefined })
    expect(await listDiscardedCommands(join(folder, 'queue'))).toHaveLength(1)
    await store.close()
  })

  test('passes over what a crash left of a record', async () => {
    const folder = scratchFolder('torn')
    const [first, second] = datasetCommands()
    const store = await Store.open({ folder })
    await store.submitAndWait(submitted(first!), minute)
    await store.close()
    const queue = join(folder, 'queue')
    const segment = join(queue, readdirSync(queue).find((name) => name.endsWith('.queue'))!)
    const whole = readFileSync(segment)
    appendFileSync(segment, whole.subarray(0, whole.length - 5))
    writeFileSync(join(queue, '.tmp'), 'not a segment')
    const again = await Store.open({ folder })
    expect((await again.submitAndWait(submitted(second!), minute)).processed).toEqual({ problem: undefined })
    await again.close()
  })

  test(`loses nothing that it acknowledged, and takes nothing twice, killed at ${rounds} moments`, {
    timeout: 3_600_000,
  }, async () => {
    const folder = scratchFolder('killed')
    const acknowledged: number[] = []
    for (let round = 0; round < rounds; round++) await submitAndKill(folder, round * 100_000, acknowledged)
    const store = await Store.open({ folder })
    const last = { certname: 'last.test', producer_timestamp: '2026-02-01T00:00:00.000Z' }
    const payload = Buffer.from(JSON.stringify(last))
    await store.submitAndWait({ name: 'deactivate node', version: 3, certname: 'last.test', payload }, minute)
    const versions = (
      await rowsOf(store, '/reports', ['extract', ['configuration_version'], ['=', 'certname', 'node.test']])
    )
      .map((row) => Number(row['configuration_version']))
      .sort((a, b) => a - b)
    await store.close()
    expect(new Set(versions).size).toBe(versions.length)
    expect(acknowledged.filter((number) => !versions.includes(number))).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(rounds)
  })
})

/** Starts a process that submits, and kills it some time after its first acknowledgements. */
async function submitAndKill(folder: string, first: number, acknowledged: number[]): Promise<void> {
  const script = join(import.meta.dirname, 'submit-reports.js')
  const child = spawn(process.execPath, [script, folder, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let seen = 0
  const lastAt = 2 + chance(60)
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'open') continue
    acknowledged.push(Number(line))
    if (++seen === lastAt) child.kill('SIGKILL')
  }
}
