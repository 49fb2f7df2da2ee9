import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { eventually } from '../support/eventually.js'
import { runHere } from '../support/run-here.ts'
import { type Serving, serve } from './serving.ts'

const node = 'a.test'
const site = `
file { '/etc/motd': source => 'puppet:///modules/demo/motd' }
file { '/etc/same': source => 'puppet:///modules/demo/same' }
file { '/opt/tree': ensure => directory, recurse => true, source => 'puppet:///modules/demo/tree' }
`
const first = {
  'manifests/site.pp': site,
  'modules/demo/files/motd': 'one\n',
  'modules/demo/files/same': 'same\n',
  'modules/demo/files/tree/sub/a': 'a\n',
  'modules/demo/files/tree/b': 'b\n',
}
/** Of `one` and `two`, each with the end of its line. */
const checksums = [
  '{sha256}2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806',
  '{sha256}27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a',
] as const

let repository: ControlRepository
let serving: Serving
/** The commits from which the node received catalogs. */
const commits: string[] = []

async function receive(query = 'static_catalog=true&checksum_type=sha256'): Promise<void> {
  const commit = repository.git('rev-parse', 'HEAD')
  await serving.server.reload()
  const path = `/puppet/v3/catalog/${node}?environment=production&${query}`
  const { status, text } = await serving.call('GET', path, {
    as: node,
    headers: { accept: 'application/vnd.puppet.rich+json' },
  })
  expect(status, text).toBe(200)
  await eventually(
    async () => JSON.parse(await asked(`/pdb/query/v4/catalogs/${node}`)).code_id as string,
    (stored) => stored === commit,
  )
  commits.push(commit)
}

const asked = async (path: string) => (await serving.call('GET', path, { as: 'admin' })).text

function plumb(...words: string[]) {
  const { confdir, vardir } = serving.settings
  return runHere([...words, '--confdir', confdir, '--vardir', vardir, '--store', 'sqlite'])
}

const diff = (from: number, to: number) =>
  plumb('catalog', 'diff', `${node}@${commits[from]}`, `${node}@${commits[to]}`, '--detailed-exitcodes')

describe('a change of sourced files alone', () => {
  beforeAll(async () => {
    repository = controlRepository(first)
    serving = await serve({ code_repo: repository.bare, store: 'sqlite' })
    await receive()
    repository.push({ 'modules/demo/files/motd': 'two\n' })
    await receive()
    repository.push({ 'modules/demo/files/tree/sub/a': 'other\n' })
    await receive()
    repository.push({ 'modules/demo/files/tree/c': 'new\n', 'modules/demo/files/tree/b': undefined })
    await receive()
    // This catalog is recalled: no file that it read has changed.
    repository.push({ 'README.md': 'Read me.\n' })
    await receive()
    repository.push({ 'README.md': 'Read me again.\n' })
    await receive('static_catalog=false')
  })
  afterAll(() => serving?.stop())

  it('is a difference between what a node received at two commits', async () => {
    expect(await diff(0, 1)).toEqual({
      status: 2,
      out: `~ File[/etc/motd]\n    content of source: "${checksums[0]}" => "${checksums[1]}"\n0 added, 0 removed, 1 changed\n`,
      err: '',
    })
    for (const [from, to] of [[1, 2] as const, [2, 3] as const])
      expect(await diff(from, to)).toEqual({
        status: 2,
        out: expect.stringMatching(
          /^~ File\[\/opt\/tree\]\n {4}content of source: "\{tree of sha256\}[0-9a-f]{64}" => "\{tree of sha256\}[0-9a-f]{64}"\n0 added, 0 removed, 1 changed\n$/,
        ),
        err: '',
      })
    expect((await diff(3, 0)).out).toContain('0 added, 0 removed, 2 changed')
  })

  it('is none if the files are the same, or a catalog has no checksums', async () => {
    for (const [from, to] of [[3, 4] as const, [4, 5] as const, [0, 5] as const])
      expect(await diff(from, to)).toEqual({ status: 0, out: 'No differences.\n', err: '' })
    const metrics = await asked('/metrics')
    expect(metrics.split('\n').filter((line) => line.startsWith('plumb_catalogs_total'))).toContainEqual(
      expect.stringMatching(/recalled.*[1-9]$/),
    )
    const { files } = JSON.parse(await asked(`/pdb/query/v4/sourced-files?as_of=${commits[4]}`))[0]
    expect(files['/etc/motd']).toBe(checksums[1])
  })

  it('is in the history of the node', async () => {
    const { status, out } = await plumb('node', 'history', node, '--kind', 'catalog')
    expect([
      status,
      out.split('\n').map((line) =>
        line
          .split(/\s{2,}/)
          .slice(2)
          .join(),
      ),
    ]).toEqual([
      0,
      [
        'code_id,what',
        `${commits[5]!.slice(0, 12)},no changes`,
        `${commits[4]!.slice(0, 12)},no changes`,
        `${commits[3]!.slice(0, 12)},0 added, 0 removed, 1 changed: ~File[/opt/tree]`,
        `${commits[2]!.slice(0, 12)},0 added, 0 removed, 1 changed: ~File[/opt/tree]`,
        `${commits[1]!.slice(0, 12)},0 added, 0 removed, 1 changed: ~File[/etc/motd]`,
        expect.stringMatching(`^${commits[0]!.slice(0, 12)},first catalog: `),
        '',
      ],
    ])
  })

  it('is on the page that compares catalogs', async () => {
    const compare = (from: number, to: number) => asked(`/ui/diff?a=${node}@${commits[from]}&b=${node}@${commits[to]}`)
    const page = await compare(0, 1)
    expect(page).toContain('0 added, 0 removed, 1 changed')
    expect(page).toContain('content of source')
    for (const checksum of checksums) expect(page).toContain(checksum)
    expect(await compare(3, 4)).toContain('No differences.')
  })

  it('is not in the answers that PuppetDB gives', async () => {
    for (const entity of ['catalogs', 'resources', 'edges']) {
      const text = await asked(`/pdb/query/v4/${entity}?as_of=${commits[1]}`)
      expect(text).toContain('/etc/motd')
      expect(text).not.toContain('sha256')
      expect(text).not.toContain('sourced_files')
    }
  })
})
