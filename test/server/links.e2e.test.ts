import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { budgets } from '../../src/base/budgets/budgets.ts'
import { type Entry, handMade } from '../code/git/hand-made.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

let repository: ControlRepository
let serving: Serving

/** Folders each of which has two links to the next: 2 to the power of 36 paths. */
const doubling = 36

beforeAll(async () => {
  repository = controlRepository()
  const { blob, tree, commit } = handMade(repository, 'code.git')
  const file: Entry = ['100644', 'a.rb', blob('1')]
  const folders = (ending: string): Entry[] =>
    Array.from({ length: doubling }, (_, level): Entry => {
      const next = blob(`../${String(level + 1).padStart(2, '0')}`)
      const last: Entry = ['100644', `a${ending}`, blob('')]
      const links: Entry[] = [
        ['120000', 'x', next],
        ['120000', 'y', next],
      ]
      return ['40000', String(level).padStart(2, '0'), tree(level === doubling - 1 ? [last] : links)]
    })
  // Each folder has two links to the one that they are in.
  const looping = tree([file, ['120000', 'x', blob('.')], ['120000', 'y', blob('../loop')]])
  const module = tree([
    ['40000', 'files', tree([...folders('.txt'), ['40000', 'loop', looping]])],
    ['40000', 'lib', tree(folders('.rb'))],
    ['40000', 'manifests', tree(folders('.pp'))],
  ])
  // Lists a folder of a hundred thousand and one names.
  const many = Array.from(
    { length: 100_001 },
    (_, each): Entry => ['100644', `f${String(each).padStart(6, '0')}`, file[2]],
  )
  const large = tree([['40000', 'files', tree([['40000', 'many', tree(many)]])]])
  const small = tree([['40000', 'lib', tree([file])]])
  const modules = (entries: readonly Entry[]) => tree([['40000', 'modules', tree(entries)]])
  const roots = {
    production: modules([['40000', 'demo', small]]),
    bomb: modules([['40000', 'demo', module]]),
    many: modules([['40000', 'demo', large]]),
  }
  for (const [branch, root] of Object.entries(roots))
    repository.gitBare('update-ref', `refs/heads/${branch}`, commit(root))
  // The default rules deny environment_classes to everybody.
  const auth_conf = join(repository.folder, 'auth.conf')
  const everybody = '{ name: "all", sort-order: 500, match-request { path: "/", type: path }, allow: "*" }'
  writeFileSync(auth_conf, `authorization { version: 1, rules: [ ${everybody} ] }`)
  serving = await serve({ code_repo: repository.bare, auth_conf })
}, 120_000)
afterAll(async () => {
  await serving?.stop()
})

const searching = (path: string, environment: string, query: string) =>
  serving.call('GET', `/puppet/v3/file_metadatas/${path}?environment=${environment}&recurse=true&${query}`, {
    as: 'node',
    headers: { accept: 'application/json' },
  })

describe('a search of files', () => {
  const followed = 'links=follow&checksum_type=none'
  const cases: Readonly<Record<string, readonly [path: string, environment: string, query: string]>> = {
    'plugins through links that double': ['plugins', 'bomb', followed],
    'files through links that double': ['modules/demo', 'bomb', followed],
    'without a limit of its own': ['modules/demo', 'bomb', `${followed}&max_files=-1`],
    'with a limit of its own': ['modules/demo', 'bomb', `${followed}&max_files=10`],
    'that ignores all that it finds': ['modules/demo/00', 'bomb', `${followed}&ignore=a.txt`],
    'of a very large folder': ['modules/demo/many', 'many', 'checksum_type=none&max_files=-1'],
  }

  it.each(Object.entries(cases))('%s ends in words, while others are served', async (_, [path, environment, query]) => {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const asked = searching(path, environment, query)
    const meanwhile = await searching('plugins', 'production', followed)
    expect([meanwhile.status, meanwhile.text]).toEqual([200, expect.stringContaining('a.rb')])
    const { status, text } = await asked
    delay.disable()
    expect([status, text]).toEqual([
      413,
      expect.stringContaining(`more than ${budgets.request.searchedFiles.bound} entries`),
    ])
    expect(delay.percentile(90) / 1e6).toBeLessThan(100)
  })

  it('through links in a circle goes round once', async () => {
    const { status, text } = await searching('modules/demo/loop', 'bomb', followed)
    expect(status).toBe(200)
    const paths = (JSON.parse(text) as { relative_path: string }[]).map((each) => each.relative_path)
    expect(paths).toEqual(['.', 'a.rb', 'x', 'y'])
  })

  it('lists the classes of what links lead to, within the same bound', async () => {
    const { status, text } = await serving.call('GET', '/puppet/v3/environment_classes?environment=bomb', {
      as: 'admin',
      headers: { accept: 'application/json' },
    })
    expect([status, text]).toEqual([413, expect.stringContaining(`more than ${budgets.request.searchedFiles.bound}`)])
  })
})
