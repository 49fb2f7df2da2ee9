import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFileLinter } from '../../../src/workbench/lint/lint-file.ts'
import { lintFiles } from '../../../src/workbench/lint/lint-files.ts'
import { createLintSettings } from '../../../src/workbench/lint/options/lint-settings.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const now = new Date('2026-06-15T12:00:00Z')

/** Manifests for several threads, in turns without a problem, with problems, and unreadable. */
function writeManifests(): readonly string[] {
  const folder = scratchFolder('lint-files')
  return Array.from({ length: 600 }, (_, index) => {
    const file = join(folder, `${index}.pp`)
    const kind = index % 5
    if (kind === 0) mkdirSync(file)
    else if (kind === 1) symlinkSync(join(folder, 'nothing'), file)
    else if (kind === 2) writeFileSync(file, Buffer.from([0xff, 0x0a]))
    else writeFileSync(file, `# A.\nclass a${index} {\t$é = "ü${'x'.repeat(index)}" } # lint:ignore:140chars b\n`)
    return file
  })
}

it('reports the same problems on several threads, in the order of the files', async () => {
  const files = writeManifests()
  for (const settings of [createLintSettings({}), { ...createLintSettings({}), withContext: true }]) {
    const lintFile = createFileLinter(settings, now)
    const reports = []
    for await (const report of lintFiles(files, settings, now)) reports.push(report)
    expect(reports).toEqual(await Promise.all(files.map(lintFile)))
    expect(reports.every(({ problems }) => problems.length > 0)).toBe(true)
  }
})
