import { afterEach, describe, expect, it } from 'vitest'
import { controlRepository } from '../support/control-repository.ts'
import { type Serving, serve } from './serving.ts'

const site = "file { '/etc/a': source => 'puppet:///modules/demo/a.txt' }\n"
const files = (text: string) => ({ 'manifests/site.pp': site, 'modules/demo/files/a.txt': text })

let serving: Serving
afterEach(() => serving?.stop())

describe('a commit that a catalog in the store names', () => {
  it('is there, whatever is pushed over it, pruned and collected', async () => {
    const repository = controlRepository(files('first'))
    const first = repository.git('rev-parse', 'HEAD')
    serving = await serve({ code_repo: repository.bare, store: 'sqlite', max_pinned_commits: '0' })
    const path = '/puppet/v3/catalog/a.test?environment=production&static_catalog=true&checksum_type=sha256'
    const { text } = await serving.call('GET', path, { as: 'a.test', headers: { accept: 'application/json' } })
    expect(text).toContain('code_id')
    expect(JSON.parse(text).code_id).toBe(first)
    await expect
      .poll(async () => (await serving.call('GET', '/pdb/query/v4/catalogs/a.test', { as: 'admin' })).text)
      .toContain(first)
    const commits = ['second', 'third', 'fourth'].map((name) => {
      repository.git('checkout', '-q', '--orphan', name)
      return { name, commit: repository.push(files(name), name) }
    })
    for (const { name } of commits) {
      repository.git('push', '-q', '--force', 'origin', `${name}:production`)
      repository.git('push', '-q', 'origin', `:${name}`)
      await serving.server.reload()
    }
    repository.gitBare('reflog', 'expire', '--expire=now', '--all')
    repository.gitBare('gc', '-q', '--prune=now')
    const content = async (commit: string) => {
      const file = `/puppet/v3/static_file_content/modules/demo/files/a.txt?environment=production&code_id=${commit}`
      const { status, text: found } = await serving.call('GET', file, { as: 'a.test' })
      return status === 200 ? found : status
    }
    expect(await content(first)).toBe('first')
    expect(await content(commits[0]!.commit)).toBe(404)
    expect(await content(commits[2]!.commit)).toBe('fourth')
  })
})
