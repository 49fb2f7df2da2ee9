import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { type HandMade, handMade } from '../code/git/hand-made.ts'
import { type ControlRepository, controlRepository } from '../support/control-repository.ts'
import { plumbMain } from '../support/plumb.ts'

let repository: ControlRepository
beforeEach(() => {
  repository = controlRepository()
})

const run = async (command: string, args: readonly string[]) => {
  const env = { ...process.env, HOME: repository.folder, GIT_CONFIG_GLOBAL: '/dev/null', NO_COLOR: '1' }
  const cwd = join(repository.folder, 'work')
  return promisify(execFile)(command, [...args], { cwd, env }).then(
    ({ stderr }) => ({ status: 0, stderr }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ status: code, stderr }),
  )
}
const installHooks = (...settings: string[]) =>
  run(process.execPath, [plumbMain, 'code', 'install-hooks', repository.bare, ...settings])
const push = (...refs: string[]) => run('git', ['push', 'origin', ...refs])

describe('the hook', () => {
  const commits: Readonly<Record<string, readonly [make: (made: HandMade) => string, ...says: string[]]>> = {
    'a bomb of a million files': [
      ({ bomb, blob, tree }) => bomb(10, 6, tree([['100644', 'f', blob('x')]])),
      'has more than 250000 files and directories',
      'or increase max_environment_files on the server',
    ],
    'a bomb of folders without a file': [
      ({ bomb, tree }) => bomb(12, 12, tree([])),
      'has more than 250000 files and directories',
    ],
    'a path that leads out': [
      ({ blob, tree }) => tree([['40000', '..', tree([['100644', 'x\x1b[2J', blob('x')]])]]),
      "'../x\\x1b[2J' is not a valid file path",
    ],
    'a file that is a folder, too': [
      ({ blob, tree }) =>
        tree([
          ['100644', 'a', blob('x')],
          ['40000', 'a', tree([['100644', 'b', blob('x')]])],
        ]),
      "'a' occurs twice",
    ],
    'an environment.conf of five million bytes': [
      ({ blob, tree }) => tree([['100644', 'environment.conf', blob('#'.repeat(5_000_000))]]),
      "'environment.conf' has 5000000 bytes, which exceeds the limit of 4194304",
      'or increase max_code_file_bytes on the server',
    ],
    'data of five million bytes': [
      ({ blob, tree }) =>
        tree([['40000', 'data', tree([['100644', 'common.yaml', blob(`a: ${'x'.repeat(5_000_000)}`)]])]]),
      "'data/common.yaml' has 5000003 bytes, which exceeds the limit of 4194304",
    ],
  }

  it.each(Object.entries(commits))('refuses %s, and takes what mends it', async (_, [make, ...says]) => {
    const before = repository.push({ 'manifests/site.pp': '' })
    const made = handMade(repository, 'work/.git')
    const bad = made.commit(make(made))
    await installHooks()
    const { status, stderr } = await push(`+${bad}:refs/heads/production`, `${bad}:refs/heads/other`)
    expect(status).not.toBe(0)
    for (const each of says) expect(stderr).toContain(each)
    expect(repository.gitBare('for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads')).toBe(
      `${before} refs/heads/production`,
    )
    // As if it had come before there was a hook.
    await run('git', [
      'push',
      '--receive-pack=git -c core.hooksPath=/dev/null receive-pack',
      'origin',
      `+${bad}:production`,
    ])
    expect(repository.gitBare('rev-parse', 'production')).toBe(bad)
    expect(await push(`+${before}:production`)).toMatchObject({ status: 0 })
  })

  it('refuses a branch beyond the number that is served, but not one that goes, nor one that moves', async () => {
    repository.push({}, 'a')
    repository.push({}, 'b')
    await installHooks('--max_environments', '2')
    expect(await push('a:c')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('The limit of 2 environments is reached'),
    })
    expect(await push('+a:b')).toMatchObject({ status: 0 })
    expect(await push(':b', 'a:c')).toMatchObject({ status: 0 })
  })

  it('checks a push although another ref of the repository is broken', async () => {
    repository.push({ 'manifests/site.pp': '' })
    await installHooks()
    repository.gitBare('symbolic-ref', 'refs/heads/loop', 'refs/heads/loop')
    expect(await push('production:other')).toMatchObject({ status: 0 })
  })
})
