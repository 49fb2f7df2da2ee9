import { expect, it } from 'vitest'
import { findRefProblem } from '../../../src/code/git/ref-names.ts'
import { openRepository } from '../../../src/code/git/repository-opener.ts'
import { checkPush } from '../../../src/deploy/push-check.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { testSettings } from '../environments/settings.ts'

it.each([
  ['refs/heads/production', undefined],
  ['refs/tags/v1', undefined],
  ['refs/heads/headless', undefined],
  ['refs/heads/feature/HEAD', undefined],
  ['refs/heads/deadbeef', undefined],
  ['refs/heads/HEAD', 'a branch or tag cannot be named HEAD'],
  ['refs/heads/head', 'a branch or tag cannot be named head'],
  ['refs/tags/FETCH_HEAD', 'a branch or tag cannot be named FETCH_HEAD'],
  ['refs/heads/@', 'a branch or tag cannot be named @'],
  [`refs/heads/${'a1'.repeat(20)}`, 'a branch or tag name cannot be a commit ID'],
  [`refs/tags/${'A1'.repeat(32)}`, 'a branch or tag name cannot be a commit ID'],
  ['refs/heads/refs/heads/x', 'a branch or tag name cannot begin with refs/'],
  ['refs/heads/-x', 'a branch or tag name cannot begin with -'],
  [`refs/replace/${'a1'.repeat(20)}`, 'only branches and tags can be pushed'],
  ['refs/notes/commits', 'only branches and tags can be pushed'],
  ['refs/stash', 'only branches and tags can be pushed'],
  ['refs/bisect/bad', 'only branches and tags can be pushed'],
  ['refs/headsx/a', 'only branches and tags can be pushed'],
  ['refs/plumb', 'reserved for the server'],
  ['refs/plumb/served/x', 'reserved for the server'],
])('%s', (ref, reason) => expect(findRefProblem(ref)).toBe(reason))

it("a hook refuses that a ref of the server is created or deleted, and lets another person's mistake go", async () => {
  const { bare, git } = controlRepository({ 'manifests/site.pp': '' })
  const source = await openRepository(bare)
  const [commit, none] = [git('rev-parse', 'HEAD'), '0'.repeat(40)]
  const push = (ref: string, before: string, after: string) =>
    checkPush(source, [{ ref, before, after }], testSettings())
  const refused = [{ diagnostic: { message: 'The ref refs/plumb/served/x is rejected: reserved for the server' } }]
  try {
    expect(await push('refs/plumb/served/x', none, commit)).toMatchObject(refused)
    expect(await push('refs/plumb/served/x', commit, none)).toMatchObject(refused)
    expect(await push('refs/notes/x', commit, none)).toEqual([])
  } finally {
    await source.close()
  }
})
