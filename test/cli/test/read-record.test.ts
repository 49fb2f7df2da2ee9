import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readReadRecord, selectAffectedSpecs, updateReadRecord } from '../../../src/cli/test/read-record.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

it('runs a spec file again whose files were edited while it ran', async () => {
  const root = scratchFolder('read-record')
  const settings = { vardir: join(root, 'var') }
  const folder = join(root, 'module')
  const began = 1_700_000_000_000
  const write = (path: string, timeMs: number) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), path)
    utimesSync(join(folder, path), timeMs / 1000, timeMs / 1000)
  }
  for (const name of ['a', 'b']) {
    write(`spec/${name}_spec.rb`, began - 5000)
    write(`manifests/${name}.pp`, began - 5000)
  }
  write('manifests/b.pp', began + 1)
  const reads = ['a', 'b'].map((name) => JSON.stringify([`spec/${name}_spec.rb`, `manifests/${name}.pp`])).join('\n')
  await updateReadRecord(folder, { reads, began }, settings)
  const listed = ['spec/a_spec.rb', 'spec/b_spec.rb']
  const select = () => selectAffectedSpecs(folder, [], readReadRecord(folder, settings), listed)
  expect(select()).toEqual({ kind: 'some', specs: ['spec/b_spec.rb'] })
  await updateReadRecord(folder, { reads, began: began + 60_000 }, settings)
  expect(select()).toEqual({ kind: 'some', specs: [] })
})
