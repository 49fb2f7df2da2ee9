import { expect, it } from 'vitest'
import { openCommandLineCode } from '../../../src/code/environments/environment-opener.ts'
import type { ExportedResource } from '../../../src/model/exported-resource.ts'
import { ExportTable } from '../../../src/store/exports/memory-exports.ts'
import { Beside, committed, requestOf } from './worlds.ts'

const manifest = { text: 'Host <<| tag == "web" |>>' }
const environment = openCommandLineCode({ name: 'production', modulepath: [], manifest })
const exported: ExportedResource = {
  certname: 'web1.example.test',
  type: 'Host',
  title: 'web1',
  tags: ['host', 'web'],
  parameters: { ip: '10.0.0.1' },
}

it.each([
  ['other tags of one who exports', { ...exported, tags: [...exported.tags, 'class'] }, 'recalled'],
  ['another parameter', { ...exported, parameters: { ip: '10.0.0.2' } }, 'compiled'],
  ['another title', { ...exported, title: 'web2' }, 'compiled'],
  ['another node', { ...exported, certname: 'web2.example.test' }, 'compiled'],
  ['a tag that is sought no more', { ...exported, tags: ['host'] }, 'compiled'],
])('a catalog that collects is asked for after %s', (_, after, origin) => {
  const beside = new Beside()
  const ask = (resource: ExportedResource) => {
    const table = new ExportTable()
    table.replace(resource.certname, [resource])
    const searchExports = (search: Parameters<ExportTable['search']>[0]) => table.search(search)
    expect(beside.compare(requestOf(committed(environment, new Map()), 'lb1.example.test', { searchExports }))).toBe(
      undefined,
    )
  }
  ask(exported)
  const { recalled } = beside.counts
  ask(after)
  expect(beside.counts.failed).toBe(0)
  expect(beside.counts.recalled - recalled).toBe(origin === 'recalled' ? 1 : 0)
})
