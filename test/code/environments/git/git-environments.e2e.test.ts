import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Environments } from '../../../../src/code/environments/environments.ts'
import { openGitEnvironments } from '../../../../src/code/environments/git/git-environments.ts'
import type { GitEnvironmentsOptions } from '../../../../src/code/environments/git/git-environments-options.ts'
import { openRepository } from '../../../../src/code/git/repository-opener.ts'
import { type ControlRepository, controlRepository } from '../../../support/control-repository.ts'
import { withGit } from '../../git/with-git.ts'
import { testSettings } from '../settings.ts'

let repository: ControlRepository
const open: Environments[] = []
beforeEach(() => {
  repository = controlRepository()
})
afterEach(async () => {
  for (const environments of open.splice(0)) await environments.close()
})

const site = (text: string) => ({ 'manifests/site.pp': text })

describe('branches as environments', () => {
  it('serves all other branches while one takes long, and gives that one up in time', async () => {
    const slow = repository.push(site('slow'), 'a')
    for (const branch of ['b', 'c', 'd', 'e', 'f']) repository.push(site(branch), branch)
    await withGit(repository.folder, `case "$*" in *ls-tree*${slow}*) sleep 120 ;; esac`, async () => {
      const source = await openRepository(repository.bare)
      const settings = testSettings({ environment_load_timeout: '20s' })
      const said = new Map<string, number>()
      const log: GitEnvironmentsOptions['log'] = (_, message) => void said.set(message, performance.now())
      const environments = await openGitEnvironments({ source, settings, interval: 0, log })
      open.push(environments)
      expect(await environments.list()).toEqual(['b', 'c', 'd', 'e', 'f'])
      const refused = `The commit ${slow} was not loaded within 20 s`
      expect((await environments.status())[0]).toMatchObject({ name: 'a', refused: { commit: slow, reason: refused } })
      const ended = said.get(`Environment a cannot be served at ${slow}: ${refused}`)!
      const served = [...said].filter(([message]) => message.includes('is now at'))
      expect(served).toHaveLength(5)
      for (const [, time] of served) expect(time).toBeLessThan(ended)
    })
    // What may pass is tried again when somebody asks for it.
    await open[0]!.refresh()
    expect((await open[0]!.get('a'))?.codeId).toBe(slow)
  })
})
