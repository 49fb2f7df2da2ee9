import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { plumb } from '../../support/plumb.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type Serving, serve } from '../serving.ts'
import { type Clone, GitClients } from './git-clients.ts'

const good = { 'manifests/site.pp': "notify { 'two': }\n" }
const broken = { 'manifests/site.pp': "notify { 'two'\n" }

let repository: ControlRepository
let serving: Serving | undefined
let clients: GitClients
let clone: Clone
beforeEach(() => {
  repository = controlRepository({ 'manifests/site.pp': "notify { 'one': }\n" })
})
afterEach(async () => {
  await serving?.stop()
  serving = undefined
})

async function start(given: Readonly<Record<string, string>> = {}, token = 'jane'): Promise<void> {
  serving = await serve({ code_repo: repository.bare, ...given })
  clients = new GitClients(serving)
  clone = await clients.clone('work', { token: await clients.token(token, 'code-push') })
}

const at = (ref = 'refs/heads/production') => repository.gitBare('for-each-ref', '--format=%(objectname)', ref)
/** All that lies in the folder of objects. */
const objects = () => readdirSync(join(repository.bare, 'objects'), { recursive: true }).map(String).sort()

async function audited(): Promise<Record<string, string>[]> {
  const { confdir, vardir } = serving!.settings
  const words = ['audit', 'log', '--kind', 'push', '--render-as', 'json', '--confdir', confdir, '--vardir', vardir]
  await serving!.server.reload()
  const { stdout } = await plumb(words)
  return String(stdout)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

async function served(environment = 'production'): Promise<string | undefined> {
  return (await serving!.server.environments.status()).find(({ name }) => name === environment)?.commit
}

describe('a push over HTTPS', () => {
  it('lands, is served at once, and is known by the name of its token', async () => {
    await start()
    const commit = await clone.commit(good)
    const { status, said } = await clone.push('production')
    expect({ status, at: at(), served: await served() }).toEqual({ status: 0, at: commit, served: commit })
    expect(said).toMatch(new RegExp(`^production now serves ${commit}`, 'm'))
    expect(await audited()).toEqual([
      expect.objectContaining({
        ref: 'refs/heads/production',
        new: commit,
        pusher: "token 'jane'",
        result: 'accepted',
      }),
    ])
  })

  it.each([
    ['admin.test', 'admin.test'],
    ['node.test', "token 'jane' of node.test"],
  ])('is known by the name on the certificate: %s', async (as, pusher) => {
    await start()
    const token = await clients.token('other', 'code-push')
    const shown = as === 'admin.test' ? { as } : { as, config: [`http.extraHeader=X-Authentication: ${token}`] }
    const own = await clients.clone('own', shown)
    await own.commit(good)
    // Who pushes cannot be somebody else by saying so.
    const { status } = await clients.run(
      [
        '-c',
        'http.extraHeader=PLUMB-PUSHER: root',
        '-c',
        'http.extraHeader=Remote-User: root',
        'push',
        'origin',
        'production',
      ],
      { ...shown, cwd: own.cwd, env: { PLUMB_PUSHER: 'root', REMOTE_USER: 'root' } },
    )
    expect(status).toBe(0)
    expect((await audited()).map((record) => record['pusher'])).toEqual([pusher.replace('jane', 'other')])
  })

  it('is refused in the words of the hook, and leaves nothing behind', async () => {
    await start()
    const before = { at: at(), objects: objects() }
    await clone.commit(broken)
    const { status, said } = await clone.push('production')
    expect(said).toContain('Error: Syntax error at end of input (file: manifests/site.pp)')
    expect(said).toContain('1 error in production')
    expect(said).toContain('[remote rejected] production -> production (pre-receive hook declined)')
    expect({ status, at: at(), objects: objects() }).toEqual({ status: 1, ...before })
    expect(await audited()).toEqual([expect.objectContaining({ pusher: "token 'jane'", result: 'refused' })])
  })

  it('is as good in each version of the protocol', async () => {
    await start()
    for (const version of ['0', '1', '2']) {
      const commit = await clone.commit({ 'manifests/site.pp': `notify { '${version}': }\n` })
      await clone.git('-c', `protocol.version=${version}`, 'push', '-q', 'origin', 'production')
      expect(at()).toBe(commit)
    }
  })

  it('goes by one connection for many requests, and takes tags and branches that go', async () => {
    await start()
    await clone.commit(good)
    await clone.git('tag', '-a', '-m', 'one', 'v1')
    expect(await clone.push('--atomic', 'production', 'HEAD:feature', 'v1')).toMatchObject({ status: 0 })
    expect(at('refs/tags/v1')).not.toBe('')
    expect(await clone.push(':feature', ':refs/tags/v1')).toMatchObject({ status: 0 })
    expect([at('refs/heads/feature'), at('refs/tags/v1')]).toEqual(['', ''])
    expect(await served('feature')).toBeUndefined()
  })

  it('lands with 19 others at once', async () => {
    await start()
    const commits = new Map<string, string>()
    for (let index = 0; index < 20; index++) {
      await clone.git('checkout', '-q', '-b', `b${index}`, 'origin/production')
      commits.set(`b${index}`, await clone.commit({ 'manifests/site.pp': `notify { 'b${index}': }\n` }))
    }
    const pushed = await Promise.all([...commits.keys()].map((branch) => clone.push(branch)))
    expect(pushed.map(({ status, said }) => (status === 0 ? 'landed' : said))).toEqual(pushed.map(() => 'landed'))
    for (const [branch, commit] of commits)
      expect([branch, at(`refs/heads/${branch}`), await served(branch)]).toEqual([branch, commit, commit])
    expect((await audited()).filter(({ result }) => result === 'accepted')).toHaveLength(20)
    expect(repository.gitBare('fsck', '--full')).toBe('')
  })
})

describe('the bound on bytes', () => {
  it('refuses a larger push by git itself, and keeps nothing of it', async () => {
    await start({ max_push_bytes: '1000000' })
    const before = { at: at(), objects: objects() }
    await clone.commit({ 'modules/big/files/big': randomBytes(4_000_000) })
    const { status, said } = await clone.push('production')
    expect(said).toMatch(/pack exceeds maximum allowed size/)
    expect({ status, at: at(), objects: objects() }).toEqual({ status: 1, ...before })
    await clone.git('reset', '-q', '--hard', 'HEAD~1')
    await clone.commit({ 'modules/big/files/big': randomBytes(500_000) })
    expect(await clone.push('production')).toMatchObject({ status: 0 })
  })
})

describe('what auth.conf says of each ref', () => {
  const rules = (name: string) => {
    const file = join(scratchFolder('auth'), 'auth.conf')
    const git = '/git/code\\\\.git'
    writeFileSync(
      file,
      `authorization: { version: 1, rules: [
        { name: production, sort-order: 100, allow-token: code-push, token-name: [${name}],
          match-request: { path: "^${git}/refs/heads/production$", type: regex, method: [put, delete] } }
        { name: "no force", sort-order: 110, deny: "*",
          match-request: { path: "^${git}/refs/heads/(production|stable)$", type: regex } }
        { name: tags, sort-order: 120, allow-token: code-push,
          match-request: { path: "/git/code.git/refs/tags/", type: path, method: put } }
        { name: features, sort-order: 130, allow-token: code-push,
          match-request: { path: "/git/code.git/refs/heads/", type: path } }
        { name: "no other ref", sort-order: 140, deny: "*",
          match-request: { path: "/git/code.git/refs/", type: path } }
        { name: git, sort-order: 150, allow-token: [code-read, code-push], match-request: { path: "/git/code.git/", type: path } }
      ] }`,
    )
    return file
  }

  it('holds before git gets anything, with the reason by each ref', async () => {
    await start({ auth_conf: rules('release') })
    const before = { at: at(), objects: objects() }
    await clone.commit(good)
    const { status, said } = await clone.push(
      'HEAD:feature',
      'production',
      'HEAD:refs/notes/x',
      'HEAD:refs/plumb/served/x',
    )
    expect(said).toContain("Error: token 'jane' may not push to refs/heads/production: not allowed by auth.conf")
    expect(said).toMatch(/! \[remote rejected\] production -> production \(not allowed by auth.conf\)/)
    expect(said).toMatch(/! \[remote rejected\] HEAD -> feature \(another ref is rejected\)/)
    expect(said).toMatch(/! \[remote rejected\] HEAD -> refs\/notes\/x \(only branches and tags can be pushed\)/)
    expect(said).toMatch(/! \[remote rejected\] HEAD -> refs\/plumb\/served\/x \(reserved for the server\)/)
    expect({ status, at: at(), objects: objects() }).toEqual({ status: 1, ...before })
    const records = await audited()
    expect(records).toHaveLength(4)
    expect(records).toContainEqual(
      expect.objectContaining({
        ref: 'refs/heads/production',
        pusher: "token 'jane'",
        result: 'refused',
        reason: 'not allowed by auth.conf',
      }),
    )
    expect(await clone.push('HEAD:feature')).toMatchObject({ status: 0 })
  })

  it('tells commits that come, commits that go, and refs that go', async () => {
    await start({ auth_conf: rules('jane') })
    const commit = await clone.commit(good)
    expect(await clone.push('production', 'HEAD:feature', 'HEAD:refs/tags/v1', 'HEAD:refs/tags/v2')).toMatchObject({
      status: 0,
    })
    const other = async () => {
      await clone.git('reset', '-q', '--hard', 'HEAD~1')
      return clone.commit({ 'manifests/site.pp': `notify { '${Math.random()}': }\n` })
    }
    const forced = await other()
    const before = objects()
    const refused = await clone.push('--force', 'production')
    expect(refused.said).toContain(
      `Error: The push would remove commits from the branch production, which is at ${commit}`,
    )
    expect([at(), objects()]).toEqual([commit, before])
    expect(await clone.push('--force', 'HEAD:feature')).toMatchObject({ status: 0 })
    expect(at('refs/heads/feature')).toBe(forced)
    expect((await clone.push('--force', 'HEAD:refs/tags/v1')).said).toContain('(moving it is not allowed by auth.conf)')
    expect((await clone.push(':refs/tags/v2')).said).toContain('(deleting it is not allowed by auth.conf)')
    expect(await clone.push(':feature')).toMatchObject({ status: 0 })
    repository.gitBare('symbolic-ref', 'HEAD', 'refs/heads/other')
    await clone.git('push', '-q', 'origin', ':production')
    expect(at()).toBe('')
  })

  it('is read again with the server', async () => {
    const auth_conf = rules('release')
    await start({ auth_conf })
    await clone.commit(good)
    expect((await clone.push('production')).status).toBe(1)
    writeFileSync(auth_conf, readFileSync(rules('jane')))
    await serving!.server.reload()
    expect((await clone.push('production')).status).toBe(0)
  })

  it('lets nobody push who may read alone, and nobody at all where no rule is', async () => {
    await start()
    const reader = await clients.clone('reader', { token: await clients.token('reader', 'code-read') })
    await reader.commit(good)
    expect((await reader.push('production')).said).toContain("auth.conf does not allow this request by token 'reader'.")
    const auth_conf = join(scratchFolder('auth'), 'auth.conf')
    writeFileSync(auth_conf, 'authorization: { version: 1, rules: [] }')
    const closed = await serve({ code_repo: repository.bare, auth_conf, auth_default_rules: 'false' })
    const { said } = await new GitClients(closed).run(['ls-remote', new GitClients(closed).address()], {
      as: 'admin.test',
    })
    expect(said).toContain('auth.conf does not allow this request by admin.test.')
    await closed.stop()
  })
})

describe('the hooks', () => {
  const hook = (name: string, script: string) => {
    mkdirSync(join(repository.bare, 'hooks'), { recursive: true })
    writeFileSync(join(repository.bare, 'hooks', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }

  it("are a repository's own where it has some, which find our program, and whose lines come as they are said", async () => {
    hook(
      'pre-receive',
      'echo "first by $PLUMB_PUSHER"; while [ ! -e "$0.go" ]; do sleep 0.1; done; echo second; plumb code check --stdin --repo . && env >"$0.env"',
    )
    await start()
    await clone.commit(broken)
    const pushing = await clone.pushing('production')
    await expect.poll(pushing.said).toContain("first by token 'jane'")
    expect(pushing.said()).not.toContain('second')
    writeFileSync(join(repository.bare, 'hooks/pre-receive.go'), '')
    const { status, said } = await pushing.ended
    expect(status).toBe(1)
    expect(said).toContain('1 error in production')
    await clone.commit(good)
    expect(await clone.push('--push-option=PLUMB_PUSHER=root', 'production')).toMatchObject({ status: 0 })
    const env = readFileSync(join(repository.bare, 'hooks/pre-receive.env'), 'utf8')
    expect(env).toContain("\nPLUMB_PUSHER=token 'jane'\n")
    expect(env).not.toMatch(/^PLUMB_PUSHER=root$/m)
    expect(env).not.toMatch(/plumb_[0-9a-f]{16}_/)
  })

  it('are those that were installed', async () => {
    await start()
    const { vardir, confdir } = serving!.settings
    await plumb(['code', 'install-hooks', repository.bare, '--vardir', vardir, '--confdir', confdir])
    await clone.commit(broken)
    expect((await clone.push('production')).said).toContain('1 error in production')
    const commit = await clone.commit(good)
    expect((await clone.push('production')).said).toContain(`production now serves ${commit}`)
  })

  it('are not left out where a repository has others, and none that checks', async () => {
    hook('update', 'exit 0')
    await start()
    await clone.commit(good)
    const { status, said } = await clone.push('production')
    expect(status).toBe(1)
    expect(said).toContain("Error: The repository has a hook 'update', but no pre-receive hook")
    expect(said).toContain(`  Run 'plumb code install-hooks ${repository.bare}`)
    expect(said).toContain('[remote rejected] production -> production (no hook would check it)')
    expect(existsSync(join(repository.bare, 'hooks/pre-receive'))).toBe(false)
  })
})
