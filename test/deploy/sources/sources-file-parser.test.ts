import { describe, expect, it } from 'vitest'
import { readSources } from '../../../src/deploy/sources/sources-file-parser.ts'

const defaults = { intervalMs: 300_000, timeoutMs: 60_000, maxBytes: 1000, webhookSecretFile: undefined }
const read = (text: string) => readSources(text, '/etc/plumb/r10k.yaml', defaults)

describe('a file of sources', () => {
  it('is an r10k.yaml with all that people have in one', () => {
    const { sources, writeLock, forge, warnings } = read(`---
:cachedir: '/var/cache/r10k'
:proxy: 'http://proxy.example.com:3128'
:postrun: ['/usr/bin/curl', 'x']
:sources:
  :operations:
    remote: 'git@git.example.com:ops/control.git'
    basedir: '/etc/puppetlabs/code/environments'
    ignore_branch_prefixes: ['wip', 'test_']
  hiera:
    remote: 'https://git.example.com/ops/data.git'
    basedir: '/etc/puppetlabs/code/hiera'
    prefix: true
    invalid_branches: 'error'
    strip_component: '/^release\\./'
git:
  provider: rugged
  private_key: '/etc/puppetlabs/r10k/id_rsa'
  username: 'git'
  repositories:
    - remote: 'https://git.example.com/ops/data.git'
      oauth_token: '/etc/puppetlabs/r10k/token'
      proxy: 'http://other.example.com:3128'
forge:
  baseurl: 'https://forge.example.com'
  authorization_token: 'Bearer x'
deploy:
  purge_levels: ['deployment']
  write_lock: 'migration'
`)
    expect(sources.map(({ name, remote, prefix }) => [name, remote.url, prefix])).toEqual([
      ['operations', 'git@git.example.com:ops/control.git', ''],
      ['hiera', 'https://git.example.com/ops/data.git', 'hiera_'],
    ])
    expect(sources[0]).toMatchObject({
      access: { privateKey: '/etc/puppetlabs/r10k/id_rsa', username: 'git', proxy: 'http://proxy.example.com:3128' },
      ignoredPrefixes: ['wip', 'test_'],
      invalidBranches: 'correct_and_warn',
      ...{ intervalMs: 300_000, timeoutMs: 60_000, maxBytes: 1000 },
    })
    expect(sources[1]).toMatchObject({
      access: { tokenFile: '/etc/puppetlabs/r10k/token', proxy: 'http://other.example.com:3128' },
      invalidBranches: 'error',
    })
    expect(writeLock).toBe('migration')
    expect(forge).toEqual({
      baseurl: 'https://forge.example.com',
      proxy: 'http://proxy.example.com:3128',
      authorizationToken: 'Bearer x',
    })
    expect(warnings).toEqual([
      'No effect, because the server does not check out files: cachedir of the file, postrun of the file, provider of git, basedir of sources.operations, basedir of sources.hiera, purge_levels of deploy',
    ])
  })

  it('is a g10k.yaml', () => {
    const { sources, writeLock, warnings } = read(`---
:cachedir: '/tmp/g10k'
use_cache_fallback: true
retry_git_commands: true
timeout: 30
write_lock: 'not now'
sources:
  example:
    remote: 'https://github.com/xorpaul/g10k-environment.git'
    basedir: './example/'
    private_key: '/etc/key'
    force_forge_versions: true
    warn_if_branch_is_missing: true
    exit_if_unreachable: false
    autocorrect_environment_names: 'correct'
    filter_regex: '^(prod|dev)'
`)
    expect(sources[0]).toMatchObject({
      invalidBranches: 'correct',
      timeoutMs: 30_000,
      access: { privateKey: '/etc/key' },
    })
    expect(sources[0]?.filter?.find('production')).toEqual(['prod'])
    expect(writeLock).toBe('not now')
    expect(warnings).toHaveLength(1)
  })

  it('has keys of our own, and those of a source win over those of all', () => {
    const { sources } = read(`
interval: 10m
max_bytes: 5000
known_hosts: /etc/hosts.all
webhook_secret: /etc/plumb/hook
sources:
  a:
    remote: https://git.example.com/a.git
    interval: 30
    ssl_ca: /etc/ca.pem
    refs: [main, 'release/*', tags/v*, '!release/0*']
    environments:
      production: v1.2
      frozen: 0123456789abcdef0123456789abcdef01234567
  b:
    remote: /srv/b.git
    webhook_secret: /etc/plumb/b
    known_hosts: /etc/hosts.b
`)
    expect(sources[0]).toMatchObject({
      ...{ intervalMs: 30_000, maxBytes: 5000, webhookSecretFile: '/etc/plumb/hook' },
      access: { authorities: '/etc/ca.pem', knownHosts: '/etc/hosts.all' },
      environments: new Map([
        ['production', 'v1.2'],
        ['frozen', '0123456789abcdef0123456789abcdef01234567'],
      ]),
    })
    expect(sources[0]?.refs?.map(({ kind, isExcluding }) => [kind, isExcluding])).toEqual([
      ['heads', false],
      ['heads', false],
      ['tags', false],
      ['heads', true],
    ])
    expect(sources[1]).toMatchObject({
      ...{ intervalMs: 600_000, webhookSecretFile: '/etc/plumb/b' },
      access: { knownHosts: '/etc/hosts.b' },
    })
    expect(read('sources: {a: {remote: /srv/a.git}}').sources[0]?.intervalMs).toBe(5000)
  })

  it.each([
    ['prefx: x', "Unknown key 'prefx' of sources.a. Did you mean 'prefix'?"],
    ['remotes: x', "Unknown key 'remotes' of sources.a. Did you mean 'remote'?"],
    ['zzzzzzzzz: x', "Unknown key 'zzzzzzzzz' of sources.a"],
    ['"\\e[31mx": x', "Unknown key '\\x1b[31mx' of sources.a"],
    [
      'prefix: my-team',
      'The prefix my-team of sources.a becomes my_team: environment names allow only a-z, A-Z, 0-9 and _',
    ],
  ])('warns of %s', (line, warning) => {
    expect(read(`sources:\n  a:\n    remote: /srv/a.git\n    ${line}\n`).warnings).toContain(warning)
  })

  it('warns of a password in a URL, and does not show it', () => {
    const { sources, warnings } = read('sources: {a: {remote: "https://x:s3cret@git.example.com/a.git"}}')
    expect(warnings.join()).toContain('contains a password')
    expect(warnings.join() + sources[0]?.remote.url).not.toContain('s3cret')
  })

  const one = 'sources: {a: {remote: /srv/a.git}}\n'
  it.each([
    [`${one}forge: {baseurl: forge.example.com}`, 'forge.baseurl must be https://HOST/PATH'],
    [`${one}forge: {baseurl: 'file:///srv/forge'}`, 'forge.baseurl must be https://HOST/PATH'],
    [`${one}forge: {baseurl: 'https://me:s3cret@forge.example.com'}`, 'without a user'],
    [`${one}forge: {proxy: 'socks5://proxy.example.com'}`, 'forge.proxy must be a URL such as http://'],
    [`${one}forge: {baseurl: 'http://forge.example.com', authorization_token: s3cret}`, 'is not sent over plain HTTP'],
    [`${one}forge: {authorization_token: "s3cret\\r\\nHost: x"}`, 'contains invalid characters'],
    ['sources: [', 'while parsing'],
    ['- a', 'the file must be a hash'],
    ['{}', 'it contains no sources'],
    ['sources: x', 'sources must be a hash'],
    ['sources: {a: {}}', 'sources.a has no remote'],
    ['sources: {a: {remote: 1}}', 'remote of sources.a must be a string'],
    ['sources: {a: {remote: "ext::sh -c x"}}', 'cannot be fetched'],
    ['sources: {a: {remote: "-x"}}', 'begins with a dash'],
    ['sources: {"../a": {remote: /a}}', 'is not a valid source name'],
    ['sources: {"a..b": {remote: /a}}', 'is not a valid source name'],
    ['sources: {a.lock: {remote: /a}}', 'is not a valid source name'],
    ['sources: {a: {remote: /a, type: svn}}', 'the type svn of sources.a is not supported'],
    [
      'sources: {a: {remote: /a, filter_command: "true"}}',
      'filter_command of sources.a is not supported: it runs a program',
    ],
    ['sources: {a: {remote: /a, invalid_branches: mend}}', "one of correct, correct_and_warn, error, not 'mend'"],
    ['sources: {a: {remote: /a, prefix: [x]}}', 'prefix of sources.a must be true, false or a string'],
    ['sources: {a: {remote: /a, strip_component: "/(a/"}}', 'strip_component of sources.a'],
    ['sources: {a: {remote: /a, filter_regex: "(?=x)"}}', 'lookaround'],
    ['sources: {a: {remote: /a, interval: soon}}', 'interval of sources.a must be a duration'],
    ['sources: {a: {remote: /a, interval: 0}}', 'interval of sources.a must be a duration'],
    ['sources: {a: {remote: /a, max_bytes: -1}}', 'max_bytes of sources.a must be a positive integer'],
    ['sources: {a: {remote: /a, private_key: id_rsa}}', 'private_key of sources.a must be an absolute path'],
    ['sources: {a: {remote: /a, oauth_token: "-"}}', 'oauth_token of sources.a must be an absolute path'],
    ['sources: {a: {remote: /a, proxy: "x y"}}', 'proxy of sources.a must be a URL'],
    [
      'sources: {a: {remote: /a, environments: {a-b: main}}}',
      "'a-b' of sources.a.environments is not a valid environment name",
    ],
    ['sources: {a: {remote: /a, environments: {a: "--x"}}}', 'a of sources.a.environments must be a branch'],
    ['sources: {a: {remote: /a, environments: {a: 1}}}', 'a of sources.a.environments must be a string'],
    [`sources: {a: {remote: /a, refs: ["${'x'.repeat(10_000)}"]}}`, 'exceeds the limit'],
    ['git: {github_app_id: 1}\nsources: {a: {remote: /a}}', 'github_app_id of git is not supported'],
    ['git: {repositories: x}\nsources: {a: {remote: /a}}', 'git.repositories must be an array'],
    [
      `sources: {${Array.from({ length: 101 }, (_, at) => `s${at}: {remote: /a}`).join(', ')}}`,
      'more than 100 sources',
    ],
    ['#'.repeat(2_000_000), 'exceeds 1048576 characters'],
  ])('refuses %.80s', (text, why) => {
    expect(() => read(text)).toThrow(why)
    expect(() => read(text)).toThrow('Could not read the code sources in /etc/plumb/r10k.yaml')
  })
})

describe('the merge requests of a source', () => {
  const readReview = (remote: string, review: string, more = '') =>
    read(`sources: {a: {remote: "${remote}", oauth_token: /token, review: {${review}}}}\n${more}`).sources[0]!.review

  it.each<[string, string, object]>([
    [
      'https://github.com/org/control.git',
      'host: github',
      { host: 'github', url: 'https://github.com', repository: 'org/control', tokenFile: '/token', forks: false },
    ],
    ['git@git.example.com:a/b/c.git', 'host: gitlab', { url: 'https://git.example.com', repository: 'a/b/c' }],
    ['ssh://git@git.example.com:2222/a/b.git', 'host: forgejo', { host: 'gitea', url: 'https://git.example.com' }],
    ['git@bitbucket.org:a/b.git', 'host: bitbucket, username: me', { url: 'https://bitbucket.org', username: 'me' }],
    ['https://git.example.com/scm/KEY/b.git', 'host: bitbucket_server', { repository: 'KEY/b' }],
    [
      '/srv/control.git',
      'host: gitea, url: "https://git.example.com:3000/git/", repository: /a/b.git, token_file: /other, forks: true, console_url: "http://localhost:1"',
      {
        ...{ url: 'https://git.example.com:3000/git', repository: 'a/b', tokenFile: '/other', forks: true },
        consoleUrl: 'http://localhost:1',
      },
    ],
  ])('of %s are found with {%s}', (remote, review, expected) => {
    expect(readReview(remote, review)).toMatchObject(expected)
  })

  it('may be those of all sources, and of none', () => {
    const text = 'review: {host: github}\noauth_token: /token\nsources: {a: {remote: "git@github.com:a/b.git"}}'
    expect(read(text).sources[0]!.review).toMatchObject({ host: 'github', repository: 'a/b' })
    expect(read('sources: {a: {remote: /srv/a.git}}').sources[0]!.review).toBeUndefined()
  })

  it.each<[string, string, string]>([
    ['git@github.com:a/b.git', 'url: "https://x"', 'host of sources.a.review must be one of github, gitlab'],
    ['git@github.com:a/b.git', 'host: hub', "not 'hub'"],
    ['git@github.com:a/b.git', 'host: github, url: "http://git.example.com"', 'must use https, except on this machine'],
    ['git@github.com:a/b.git', 'host: github, url: "https://me:pw@git.example.com"', 'must be https://HOST'],
    ['git@github.com:a/b.git', 'host: github, console_url: "https://x/](y)"', 'must be https://HOST'],
    ['git@github.com:a/b.git', 'host: github, console_url: "javascript:alert(1)"', 'must be https://HOST'],
    ['git@github.com:a/b.git', 'host: github, repository: a/../b', 'must be the path of a repository'],
    ['git@github.com:a/b/c.git', 'host: github', 'must be the path of a repository'],
    ['/srv/a.git', 'host: github', 'names no host'],
    ['git@github.com:a/b.git', 'host: github, forks: "yes"', 'must be true or false'],
    ['git@github.com:a/b.git', 'host: github, token_file: token', 'must be an absolute path'],
  ])('of %s are refused with {%s}: %s', (remote, review, why) => {
    expect(() => readReview(remote, review)).toThrow(why)
  })
})
