import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Environments } from '../../../../src/code/environments/environments.ts'
import { openGitEnvironments } from '../../../../src/code/environments/git/git-environments.ts'
import { openRepository } from '../../../../src/code/git/repository-opener.ts'
import { CodeChecker } from '../../../../src/deploy/code-checker.ts'
import { type ControlRepository, controlRepository } from '../../../support/control-repository.ts'
import { testSettings } from '../settings.ts'

let repository: ControlRepository
const closers: (() => Promise<unknown>)[] = []
beforeEach(() => {
  repository = controlRepository()
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A server's environments, with what its log says. */
async function serve(settings: Readonly<Record<string, string>> = {}) {
  const source = await openRepository(repository.bare)
  const checker = new CodeChecker(source, testSettings(settings))
  const log: string[] = []
  const environments = await openGitEnvironments({
    source,
    settings: testSettings(settings),
    interval: 0,
    check: (code, served) => checker.check(code, served),
    log: (_, message) => log.push(message),
  })
  closers.push(() => Promise.all([environments.close(), checker.close()]))
  return { environments, checker, log }
}

const site = (text: string) => ({ 'manifests/site.pp': text })
const statusOf = async (environments: Environments, name = 'production') =>
  (await environments.status()).find((each) => each.name === name)

describe('a push that no hook has seen', () => {
  it.each([
    ['a manifest', { 'manifests/site.pp': 'file { x:\n  ensure => }\n' }, /\(file: manifests\/site\.pp, line: 2, col/],
    ['data', { 'data/common.yaml': 'a: [\n' }, /^Could not parse YAML: .*\(file: data\/common\.yaml, line: 2/],
    ['a template', { 'modules/m/templates/x.erb': '<%= 1 + %>' }, /^Could not parse template: .*x\.erb, line: 1/],
    [
      'a folder that is not loaded',
      { 'modules/m/manifests/docs/x.pp': '{' },
      /\(file: modules\/m\/manifests\/docs\/x\.pp/,
    ],
    ['several files', { 'manifests/a.pp': '{', 'manifests/b.pp': '{', 'manifests/c.pp': '{' }, /, and 2 more errors$/],
  ])('is not served where %s does not parse; the commit before stays, and its status says why', async (_, bad, why) => {
    const good = repository.push(site('notice(1)'))
    const { environments, log } = await serve()
    const refused = repository.push(bad)
    await environments.refresh()
    expect((await environments.get('production'))?.codeId).toBe(good)
    expect(await statusOf(environments)).toMatchObject({
      commit: good,
      refused: { commit: refused, reason: expect.stringMatching(why) },
    })
    expect(log.at(-1)).toContain(`Environment production cannot be served at ${refused}: `)
    expect(log.at(-1)).toContain(`; ${good} is still served`)
    const mended = repository.push(Object.fromEntries(Object.keys(bad).map((path) => [path, undefined])))
    await environments.refresh()
    expect(await statusOf(environments)).toMatchObject({ commit: mended, refused: undefined })
  })

  it('is not served as the first commit of a branch, nor found good because another branch was refused', async () => {
    repository.push(site('notice(1)'))
    const { environments } = await serve()
    for (const branch of ['one', 'two']) repository.push(site('{'), branch)
    await environments.refresh()
    expect(await environments.list()).toEqual(['production'])
    for (const branch of ['one', 'two'])
      expect(await statusOf(environments, branch)).toMatchObject({ commit: undefined, refused: { reason: /site\.pp/ } })
  })

  it('is served where what does not parse is served already, or is never read', async () => {
    repository.push({ ...site("notice('aa' =~ /(?<n>a)\\g<n>/)"), 'files/x.pp': '{', 'spec/x.pp': '{' })
    const { environments } = await serve()
    expect(await statusOf(environments)).toMatchObject({ refused: undefined })
    const without = await openGitEnvironments({
      source: await openRepository(repository.bare),
      settings: testSettings(),
      interval: 0,
    })
    closers.push(() => without.close())
    const old = repository.push({ 'manifests/old.pp': '{' })
    await without.refresh()
    const restarted = await serve()
    expect(await statusOf(restarted.environments)).toMatchObject({ commit: old, refused: undefined })
    const next = repository.push(site('notice(2)'))
    await restarted.environments.refresh()
    expect(await statusOf(restarted.environments)).toMatchObject({ commit: next, refused: undefined })
  })

  it('leaves the commit before in its place after a restart, too', async () => {
    const good = repository.push(site('notice(1)'))
    const first = await serve()
    await first.environments.close()
    const bad = repository.push(site('{'), 'production', '--force')
    for (const { environments } of [await serve(), await serve()])
      expect(await statusOf(environments)).toMatchObject({ commit: good, refused: { commit: bad } })
    // A branch that goes takes its note with it.
    repository.push(site('notice(1)'), 'other')
    repository.gitBare('update-ref', '-d', 'refs/heads/production')
    const { environments } = await serve()
    expect(await environments.list()).toEqual(['other'])
    expect(repository.gitBare('for-each-ref', '--format=%(refname)', 'refs/plumb/environment/')).toBe(
      'refs/plumb/environment/other',
    )
  })

  it('is told apart from code that could not be checked, which is tried again', async () => {
    const good = repository.push(site('notice(1)'))
    const { environments, checker } = await serve()
    const next = repository.push(site('notice(2)'))
    const looked = environments.refresh()
    const closed: Promise<unknown>[] = []
    const ended = setInterval(() => closed.push(checker.close()), 1)
    await looked
    clearInterval(ended)
    // One that still closes would end the next look, too.
    await Promise.all(closed)
    const reason = `The code of commit ${next} could not be checked: The server is stopping`
    expect(await statusOf(environments)).toMatchObject({ commit: good, refused: { commit: next, reason } })
    await environments.refresh()
    expect(await statusOf(environments)).toMatchObject({ commit: next, refused: undefined })
  })
})
