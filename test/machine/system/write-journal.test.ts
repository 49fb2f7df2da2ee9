import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { localFiles } from '../../../src/machine/system/files.ts'
import { createWriteJournal } from '../../../src/machine/system/write-journal.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('journal')
const [own, managed, other] = ['own', 'managed', 'other'].map((name) => join(folder, name)) as [string, string, string]

it('has what a killed run left half written removed, where it wrote, once it is old', async () => {
  for (const each of [managed, other]) await localFiles.makeDirectory(each)
  const killed = createWriteJournal(localFiles, own)
  await killed.note(managed)
  await killed.note(managed)
  const place = (name: string) => join(managed, name)
  const [old, young, foreign, elsewhere] = [
    place('.motd.0123456789ab.tmp'),
    place('.issue.ba9876543210.tmp'),
    place('.motd.tmp'),
    join(other, '.motd.0123456789ab.tmp'),
  ] as const
  for (const path of [old, young, foreign, elsewhere]) {
    writeFileSync(path, 'half')
    if (path !== young) utimesSync(path, 0, 0)
  }

  const next = createWriteJournal(localFiles, own)
  await next.recover(localFiles, Date.now())
  expect([old, young, foreign, elsewhere].map(existsSync)).toEqual([false, true, true, true])
  // What is young may be written still: it is not forgotten by a run that ends well.
  await next.note(managed)
  await next.clear()
  const later = createWriteJournal(localFiles, own)
  await later.recover(localFiles, Date.now() + 3_600_000)
  expect([young, foreign].map(existsSync)).toEqual([false, true])
  expect(readdirSync(own)).toEqual([])
})

it('follows no note that is not its own', async () => {
  const path = join(other, '.motd.0123456789ab.tmp')
  writeFileSync(join(own, 'note'), other)
  await createWriteJournal(localFiles, own).recover(localFiles, Date.now())
  expect(existsSync(path)).toBe(true)
})
