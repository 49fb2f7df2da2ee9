import { open } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { Journal } from '../../../src/store/queue/journal.ts'
import { readRecords } from '../../../src/store/queue/record-reader.ts'
import { getSegmentFile } from '../../../src/store/queue/segments.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const received = '2026-01-02T03:04:05.678Z'

it('returns the commands of one large write as they were appended', async () => {
  const folder = scratchFolder('journal')
  const journal = await Journal.open(folder)
  const commands = Array.from({ length: 1300 }, (_, at) => ({
    uuid: `uuid-${at}`,
    name: 'replace facts' as const,
    version: 5,
    certname: `ä${at}.example.com`,
    received,
    payload: Buffer.alloc(at % 7 === 0 ? 0 : at * 3, at % 251),
  }))
  const sizes = await Promise.all(commands.map((command) => journal.append(command)))
  await journal.close()

  const file = await open(getSegmentFile(folder, 1), 'r')
  const records = await readRecords(file, 0, { records: 2000, bytes: 1e9 })
  await file.close()
  expect(records.map(({ command }) => ({ ...command, payload: Buffer.from(command.payload).toString('hex') }))).toEqual(
    commands.map((command) => ({ ...command, payload: command.payload.toString('hex') })),
  )
  expect(records.at(-1)?.end).toBe(sizes.reduce((sum, size) => sum + size, 0))
})
