import { spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRepository } from '../../../src/code/git/repository-opener.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { plumbMain } from '../../support/plumb.ts'

const root = process.getuid?.() === 0
const nobody = 65534

let repository: ControlRepository
let closed: string[]
beforeEach(() => {
  repository = controlRepository()
  closed = []
  chmodSync(repository.folder, 0o755)
})
afterEach(() => {
  for (const path of closed) chmodSync(path, 0o755)
})

/** Takes a path of the repository from everybody but root; answers it. */
function close(path: string): string {
  const whole = join(repository.bare, path)
  chmodSync(whole, 0)
  closed.push(whole)
  return whole
}

/** Runs the command as a user who is not root. */
async function plumb(...words: string[]) {
  const env = { ...process.env, HOME: '/nonexistent', PLUMB_CONFDIR: '/nonexistent', NO_COLOR: '1' }
  const who = root ? { uid: nobody, gid: nobody } : {}
  const child = spawn(process.execPath, [plumbMain, ...words], {
    env,
    ...who,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  const [, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await ended, err }
}

describe('a repository that may not be read', () => {
  it.each(['', 'HEAD', 'config', 'objects', 'refs', 'refs/heads'])(
    'names %j and its owner, not a lack of a repository',
    async (part) => {
      repository.push({ 'manifests/site.pp': '' })
      const path = close(part)
      const { status, err } = await plumb('code', 'check', 'production', '--repo', repository.bare)
      expect(status).toBe(1)
      expect(err).not.toContain('There is no Git repository')
      expect(err).toContain(`Error: Permission denied for ${path}, which is needed to read the Git repository\n`)
      expect(err).toContain(`User ${process.getuid?.()} owns it (mode 0000); this process runs as user `)
    },
  )

  it('names the folder above it that is in the way', async () => {
    chmodSync(repository.folder, 0o600)
    closed.push(repository.folder)
    const { err } = await plumb('code', 'check', 'production', '--repo', repository.bare)
    expect(err).toContain(`Permission denied for ${repository.folder},`)
  })

  it('names an object or a ref that came with a push of another user', async () => {
    const commit = repository.push({ 'manifests/site.pp': '' })
    mkdirSync(join(repository.bare, 'refs/heads/feature'))
    repository.gitBare('update-ref', 'refs/heads/other', commit)
    // Objects of both commits in one folder of Git's would be closed together.
    let folder = commit
    for (let number = 1; folder.slice(0, 2) === commit.slice(0, 2); number++)
      folder = repository.push({ 'manifests/site.pp': `notice(${number})` }, 'fresh')
    const paths = [
      ['feature', close('refs/heads/feature')],
      ['other', close('refs/heads/other')],
      ['fresh', close(`objects/${folder.slice(0, 2)}`)],
      ['production', close(`objects/${commit.slice(0, 2)}/${commit.slice(2)}`)],
    ] as const
    for (const [branch, path] of paths) {
      const { status, err } = await plumb('code', 'check', branch, '--repo', repository.bare)
      expect([branch, status, err]).toEqual([branch, 1, expect.stringContaining(`Permission denied for ${path},`)])
      expect(err).not.toMatch(/corrupt|no object/)
    }
  })

  it('in one object of one branch leaves the others as they are', async () => {
    const commits = ['a', 'b', 'c'].map((text) => repository.push({ 'manifests/site.pp': text }, text))
    const [a, b, c] = commits as [string, string, string]
    const broken = join(repository.bare, 'objects', b.slice(0, 2), b.slice(2))
    chmodSync(broken, 0o600)
    writeFileSync(broken, 'no object')
    const source = await openRepository(repository.bare)
    const refs = await source.listRefs('refs/heads/')
    await source.close()
    expect([...refs.commits.values()]).toEqual([a, c])
    expect([...refs.broken]).toEqual([
      [
        'refs/heads/b',
        expect.stringMatching(`^The Git object ${b} cannot be read: fatal: loose object ${b} .*corrupt`),
      ],
    ])
  })

  it('is read although it belongs to another', async () => {
    repository.push({ 'manifests/site.pp': '' })
    if (root) for (const path of ['', 'HEAD', 'config']) chownSync(join(repository.bare, path), 12_345, 12_345)
    expect(await plumb('code', 'check', 'production', '--repo', repository.bare)).toEqual({ status: 0, err: '' })
  })

  it('says what git says where git cannot use it', async () => {
    repository.gitBare('config', 'core.repositoryformatversion', '99')
    await expect(openRepository(repository.bare)).rejects.toThrow(
      /^The Git repository .* cannot be opened: .*repo version/,
    )
  })
})
