import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseRemoteAddress, redactRemote } from '../../../../src/code/git/remotes/remote.ts'
import { createGitSettings } from '../../../../src/code/git/remotes/remote-access.ts'
import { readSecretFile } from '../../../../src/code/git/remotes/secret-file.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

describe('a remote', () => {
  it.each([
    ['/srv/git/code.git', { protocol: 'file', url: '/srv/git/code.git', path: 'srv/git/code' }],
    ['file:///srv/a%20b.git', { protocol: 'file', url: '/srv/a b.git', path: 'srv/a b' }],
    [
      'git@git.example.com:puppet/control.git',
      { protocol: 'ssh', host: 'git.example.com', user: 'git', path: 'puppet/control' },
    ],
    ['git.example.com:control', { protocol: 'ssh', user: undefined, path: 'control' }],
    [
      'ssh://git@Git.Example.com:7999/proj/control.git',
      { protocol: 'ssh', host: 'git.example.com:7999', path: 'proj/control' },
    ],
    ['ssh://git@[::1]:22/control.git', { protocol: 'ssh', host: '[::1]:22' }],
    ['https://git.example.com/group/sub/control.git/', { protocol: 'https', path: 'group/sub/control' }],
    [
      'https://anna:s3cret@git.example.com/c.git',
      { url: 'https://git.example.com/c.git', user: 'anna', password: 's3cret' },
    ],
    ['http://127.0.0.1:3000/c', { protocol: 'http', host: '127.0.0.1:3000' }],
  ])('%s', (text, expected) => expect(parseRemoteAddress(text)).toMatchObject(expected))

  it.each([
    ['', 'empty or too long'],
    ['ext::sh -c "touch /tmp/owned"', 'characters'],
    ['ext::sh%20-c', 'would run a program'],
    ['fd::17', 'would run a program'],
    ['::x', 'would run a program'],
    ['--upload-pack=touch', 'dash'],
    ['-oProxyCommand=touch', 'dash'],
    ['ssh://-oProxyCommand=touch/x', 'the host name is invalid'],
    ['-oProxyCommand=x@host:path', 'dash'],
    ['ssh://-l@host/x', 'the user name is invalid'],
    ['host:-path', 'no repository'],
    ['ssh://host/-path', 'no repository'],
    ['git://host/x.git', 'does not authenticate the host'],
    ['ftp://host/x.git', 'unknown scheme ftp://'],
    ['git+ssh://host/x.git', 'unknown scheme git+ssh://'],
    ['https://host/x.git?y', 'contains a query'],
    ['https://host/x.git#y', 'contains a query or a fragment'],
    ['https://host/', 'no repository'],
    ['https://ho st/x', 'characters'],
    ['https://host/a%0ab', 'characters'],
    ['https://host/%zz', 'not percent-encoded'],
    ['host:a\nb', 'characters'],
    ['../code.git', 'absolute'],
    ['code.git', 'absolute'],
    ['g@a://d', 'the protocol is unknown'],
    ['file://elsewhere/x.git', 'must not have a host'],
    ['/srv/\u202e.git', 'characters'],
  ])('refuses %j', (text, why) => expect(() => parseRemoteAddress(text)).toThrow(why))

  it('refuses what is too long, and does not repeat a password', () => {
    expect(() => parseRemoteAddress(`/${'a'.repeat(3000)}`)).toThrow('empty or too long')
    for (const text of [
      'https://anna:s3cret@host/x?y',
      'https://:s3cret@host',
      'HTTPS://a:b@s3cret@host/x',
      'ftp://a:s3cret@h/',
    ])
      expect(redactRemote(text)).toMatch(/^[^:]*:\/\/\*\*\*@h/)
    expect(redactRemote('ssh://git@host/x')).toBe('ssh://git@host/x')
    expect(() => parseRemoteAddress('https://anna:s3cret@host/x?y')).toThrow("'https://***@host/x?y' cannot be fetched")
  })
})

describe('the way to a remote', () => {
  const folder = scratchFolder('secrets')
  const secret = (name: string, text: string, mode = 0o600) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    chmodSync(path, mode)
    return path
  }

  it.each([0o600, 0o400, 0o440, 0o640])('reads a secret of mode %o', async (mode) =>
    expect(await readSecretFile(secret(`mode${mode}`, ' t0ken\n', mode))).toBe('t0ken'),
  )

  it.each([0o644, 0o604, 0o660, 0o777])('refuses a secret of mode %o, and says what to do', async (mode) => {
    const path = secret(`open${mode}`, 't0ken', mode)
    await expect(readSecretFile(path)).rejects.toMatchObject({
      diagnostic: { code: 'SECRET_NOT_SECRET', hint: expect.stringContaining(`chmod 600 ${path}`) },
    })
  })

  it('takes a link to a secret, and refuses what is empty, absent, no file or too long', async () => {
    const path = secret('linked', 't0ken')
    symlinkSync(path, join(folder, 'link'))
    expect(await readSecretFile(join(folder, 'link'))).toBe('t0ken')
    await expect(readSecretFile(secret('empty', '\n'))).rejects.toThrow('it is empty')
    await expect(readSecretFile(join(folder, 'none'))).rejects.toThrow('No such file')
    await expect(readSecretFile(folder)).rejects.toThrow('it is not a regular file')
    await expect(readSecretFile(secret('long', 'x'.repeat(70_000)))).rejects.toThrow('exceeds 65536 bytes')
  })

  it('sends a token to its remote alone, never in plain over a network, and follows no redirect with it', async () => {
    const tokenFile = secret('token', 't0ken')
    const { config, secrets } = await createGitSettings(parseRemoteAddress('https://git.example.com/c.git'), {
      tokenFile,
    })
    const basic = Buffer.from('x-oauth-token:t0ken').toString('base64')
    expect(config).toContainEqual(['http.https://git.example.com/c.git.extraHeader', `Authorization: Basic ${basic}`])
    expect(config).toContainEqual(['http.followRedirects', 'false'])
    expect(secrets).toEqual(['t0ken', basic])
    await expect(createGitSettings(parseRemoteAddress('http://git.example.com/c.git'), { tokenFile })).rejects.toThrow(
      'plain HTTP',
    )
    const own = await createGitSettings(parseRemoteAddress('https://git.example.com/c.git'), {
      tokenFile,
      username: 'oauth2',
    })
    expect(own.secrets[1]).toBe(Buffer.from('oauth2:t0ken').toString('base64'))
  })

  it('quotes what it hands to the shell of git', async () => {
    const privateKey = secret("it's a key; touch x", 'KEY')
    const { config } = await createGitSettings(parseRemoteAddress('host:path'), {
      privateKey,
      knownHosts: '/etc/a b/100%',
      username: 'git',
    })
    const [[name, command = ''] = []] = config
    expect(name).toBe('core.sshCommand')
    expect(command).toContain(`-i '${folder}/it'\\''s a key; touch x'`)
    expect(command).toContain(`'UserKnownHostsFile="/etc/a b/100%%"'`)
    expect(command).toMatch(/^ssh -o BatchMode=yes -o StrictHostKeyChecking=yes .* -l git$/)
  })
})
