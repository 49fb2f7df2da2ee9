import { afterAll, describe, expect, it } from 'vitest'
import { formatDiagnosticFrame, PuppetError } from '../../../src/base/issue.ts'
import { openNativeRepository } from '../../../src/code/git/native-repository.ts'
import { readModuleSources } from '../../../src/deploy/puppetfile/allowed-sources.ts'
import { PuppetfileEvaluator } from '../../../src/deploy/puppetfile/puppetfile-evaluator.ts'
import { readPuppetfile } from '../../../src/deploy/puppetfile/puppetfile-reader.ts'
import { controlRepository } from '../../support/control-repository.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** The limit of memory is to end who is hungry: on a busy machine half a gigabyte takes longer than a server waits. */
const evaluator = new PuppetfileEvaluator(undefined, 120_000)
afterAll(() => evaluator.close())

const usual = [
  'https://forgeapi.puppet.com',
  'https://github.com/acme',
  'git@git.example.com:puppet',
  'https://forge.acme.test',
]

async function read(text: string, { listed = usual, present }: { listed?: string[]; present?: string[] } = {}) {
  return readPuppetfile(Buffer.from(text), {
    evaluator,
    sources: readModuleSources(listed),
    branch: 'production',
    ...(present && { present: new Set(present) }),
  })
}

/** Each error's line, code and words; one a line. */
async function complaints(text: string, options?: Parameters<typeof read>[1]): Promise<string> {
  const error = await read(text, options).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  const all = error instanceof AggregateError ? error.errors : [error]
  return all
    .map((each) => {
      if (!(each instanceof PuppetError)) return `no error of a user's: ${each}`
      const { code, hint, message } = each.diagnostic
      const [, line] = /:(\d+):\d+\n/.exec(formatDiagnosticFrame(each.diagnostic)) ?? []
      return `${line} ${code} ${message}${hint === undefined ? '' : ` | ${hint}`}`
    })
    .join('\n')
}

it.each([
  ["mod 'a/b', '1.0.0'\nmod 'c/d',\n", /^2 PUPPETFILE_FAILED Failed to evaluate Puppetfile: unexpected end-of-input/],
  [
    "mod 'a/b', '1.0.0'\n\nmod 'c/d', { git: 'x'\n",
    /^4 PUPPETFILE_FAILED Failed to evaluate Puppetfile: expected a `}`/,
  ],
  ['forge \'x\nmod "a"\n', /^\d PUPPETFILE_FAILED Failed to evaluate Puppetfile: \D/],
])('a syntax error has a message and a line: %j', async (text, expected) => {
  expect(await complaints(text)).toMatch(expected)
})

const url = 'https://github.com/acme/ntp.git'
const git = (more: object = {}) => ({ kind: 'git', url, wanted: { kind: 'head' }, defaultBranch: undefined, ...more })

describe('words of a Puppetfile', () => {
  const sources: readonly (readonly [options: string, source: unknown])[] = [
    ["'1.2.3'", { kind: 'forge', version: '1.2.3' }],
    [':latest', { kind: 'forge', version: 'latest' }],
    ['nil', { kind: 'forge', version: 'latest' }],
    ["'>= 1.2.0 < 2.0.0'", { kind: 'forge', version: '>= 1.2.0 < 2.0.0' }],
    ["type: 'forge', version: '1.x'", { kind: 'forge', version: '1.x' }],
    [`:git => '${url}'`, git()],
    [`git: '${url}', branch: 'main'`, git({ wanted: { kind: 'branch', name: 'main' } })],
    [`git: '${url}', branch: :main`, git({ wanted: { kind: 'branch', name: 'main' } })],
    [`git: '${url}', tag: 'v1'`, git({ wanted: { kind: 'tag', name: 'v1' } })],
    [`git: '${url}', commit: '${'a'.repeat(40)}'`, git({ wanted: { kind: 'commit', name: 'a'.repeat(40) } })],
    [`git: '${url}', ref: 'v1'`, git({ wanted: { kind: 'ref', name: 'v1' } })],
    [`git: '${url}', ref: 'v1', branch: 'b'`, git({ wanted: { kind: 'branch', name: 'b' } })],
    [`type: 'git', source: '${url}', version: 'v1'`, git({ wanted: { kind: 'ref', name: 'v1' } })],
    [
      `git: '${url}', branch: :control_branch, default_branch: 'main'`,
      git({ wanted: { kind: 'control_branch' }, defaultBranch: 'main' }),
    ],
    [
      `git: '${url}', branch: 'x', default_branch: 'b', default_branch_override: 'a'`,
      git({ wanted: { kind: 'branch', name: 'x' }, defaultBranch: 'a', otherBranches: ['b'] }),
    ],
    [
      `git: '${url}', link: true, fallback: 'a|b'`,
      git({ wanted: { kind: 'control_branch' }, defaultBranch: 'a', otherBranches: ['b'] }),
    ],
    ["git: 'git@git.example.com:puppet/ntp.git'", git({ url: 'git@git.example.com:puppet/ntp.git' })],
    ['local: true', { kind: 'local' }],
    ["type: 'local'", { kind: 'local' }],
    [
      `type: 'tarball', source: 'https://forge.acme.test/a.tar.gz', version: '${'A'.repeat(64)}'`,
      { kind: 'tarball', url: 'https://forge.acme.test/a.tar.gz', sha256: 'a'.repeat(64) },
    ],
    [
      "tarball: 'https://forge.acme.test/a.tgz'",
      { kind: 'tarball', url: 'https://forge.acme.test/a.tgz', sha256: undefined },
    ],
  ]
  it.each(sources)('mod … %s', async (options, source) => {
    const { modules } = await read(`mod 'puppetlabs/ntp', ${options}\n`)
    expect(modules).toEqual(
      [...[{ title: 'puppetlabs/ntp', owner: 'puppetlabs', name: 'ntp', path: 'modules/ntp', source }]].map(
        (module) => ({ ...module, excludesSpec: false, line: 1 }),
      ),
    )
  })

  it('is Ruby: variables, loops, conditions, libraries, and no ENV', async () => {
    const { modules, moduledir } = await read(`
require 'yaml'
moduledir 'site-modules/../external'.sub('site-modules/../', '')
forge 'https://forge.puppet.com'
versions = YAML.load("ntp: 1.0.0\\nstdlib: 2.0.0")
versions.each { |name, version| mod "puppetlabs/#{name}", version }
mod 'x', git: "https://github.com/acme/#{ENV['WHO'] || 'nobody'}" if @librarian.environment_name == 'production'
mod 'gone', git: 'https://github.com/acme/gone' unless ENV.empty?
def ours(name) = mod(name, git: "https://github.com/acme/#{name}")
ours 'mine'
`)
    expect(moduledir).toBe('external')
    expect(modules.map(({ path, line }) => `${path}:${line}`)).toEqual([
      ...['external/ntp:6', 'external/stdlib:6', 'external/x:7', 'external/mine:9'],
    ])
  })

  it('has folders where they are named, until another is', async () => {
    const { modules } = await read(
      `
mod 'a/one', '1.0.0', 
mod 'two', git: '${url}', install_path: 'site', exclude_spec: true
moduledir '/etc/puppetlabs/code/environments/production/other'
mod 'a/three', type: 'forge', exclude_spec: true
mod 'four', git: '${url}', install_path: '.'
`.replace("'1.0.0', ", "'1.0.0'"),
    )
    expect(modules.map(({ path, excludesSpec }) => [path, excludesSpec])).toEqual([
      ...[
        ['modules/one', false],
        ['site/two', false],
        ['other/three', true],
        ['four', false],
      ],
    ])
  })

  it('sees the files of its own commit, and nothing else', async () => {
    const { bare, push } = controlRepository()
    const commit = push({
      'versions/ntp': '1.5.0\n',
      secret: { link: '/etc/passwd' },
      Puppetfile: '',
    })
    const spoolFolder = scratchFolder('spool')
    const repository = openNativeRepository({ gitDir: bare, objectFormat: 'sha1' }, { quarantine: false, spoolFolder })
    const own = new PuppetfileEvaluator(repository)
    try {
      const text = `
mod 'a/ntp', File.read(File.join(__dir__, 'versions/ntp')).strip
mod 'a/' + Dir.children(__dir__).sort.join('_'), '1.0.0'
mod 'a/passwd', File.exist?('/etc/passwd') || File.exist?(File.join(__dir__, 'secret')) ? '1.0.0' : '2.0.0'
`
      const request = { evaluator: own, sources: readModuleSources(usual), branch: 'production', commit }
      const { modules } = await readPuppetfile(Buffer.from(text), request)
      expect(modules.map(({ name, source }) => [name, 'version' in source && source.version])).toEqual([
        ...[
          ['ntp', '1.5.0'],
          ['Puppetfile_versions', '1.0.0'],
          ['passwd', '2.0.0'],
        ],
      ])
    } finally {
      await own.close()
      await repository.close()
    }
  })

  it('names a Forge of another place, where that is listed', async () => {
    for (const given of ['https://forge.puppet.com', 'forgeapi.puppetlabs.com', 'http://forge.puppetlabs.com/'])
      expect((await read(`forge '${given}'`)).forge).toBeUndefined()
    const { forge, modules } = await read("forge 'forge.acme.test/api/'\nmod 'a/b', '1.0.0'")
    expect(forge).toBe('https://forge.acme.test/api')
    expect(modules[0]?.source).toEqual({ kind: 'forge', version: '1.0.0', forge: 'https://forge.acme.test/api' })
  })
})

describe('what is wrong with a Puppetfile', () => {
  const of = (mod: string) => `# first\nmod ${mod}\n`
  const cases: readonly (readonly [text: string, complaint: RegExp])[] = [
    ['mod "a', /^1 PUPPETFILE_FAILED Failed to evaluate Puppetfile: /],
    ['# x\nmodd "a"', /^2 PUPPETFILE_FAILED .*unrecognized declaration .modd' \| Did you mean 'mod'\?$/],
    ["require 'nothing'", /^1 PUPPETFILE_FAILED .*cannot load such file.* \| .*no gems\.$/],
    ['x = 1\nraise "no"', /^2 PUPPETFILE_FAILED Failed to evaluate Puppetfile: no$/],
    [of("'a b', '1.0.0'"), /^2 PUPPETFILE_MODULE_NAME Module name \(a b\) must match/],
    [of("'a/b/c', '1.0.0'"), /^2 PUPPETFILE_MODULE_NAME/],
    [of("'../b', '1.0.0'"), /^2 PUPPETFILE_MODULE_NAME/],
    [of("'é', '1.0.0'"), /^2 PUPPETFILE_MODULE_NAME/],
    [of("['a'], '1.0.0'"), /^2 PUPPETFILE_NOT_TEXT mod must be a string, not a Array$/],
    [of("'stdlib', '1.0.0'"), /^2 PUPPETFILE_NO_OWNER Module stdlib has no owner/],
    [of("'a/b', 'one'"), /^2 PUPPETFILE_VERSION Module version one is not a valid Forge module version/],
    [of("'a/b', 1.0"), /^2 PUPPETFILE_NOT_TEXT .*:version must be a string, not a Float/],
    [of("'a/b', {}"), /^2 PUPPETFILE_NO_SOURCE .*doesn't have an implementation/],
    [of("'a/b', type: 'hg'"), /^2 PUPPETFILE_UNKNOWN_TYPE/],
    [of("'a/b', type: 'gitt'"), /PUPPETFILE_UNKNOWN_TYPE .* \| Did you mean 'git'\?/],
    [of("'a/b', svn: 'https://github.com/acme/x'"), /^2 PUPPETFILE_SUBVERSION/],
    [of(`'a', git: '${url}', brnach: 'x'`), /^2 PUPPETFILE_UNKNOWN_KEY .*option 'brnach' \| Did you mean 'branch'\?/],
    [of(`'a', 'git' => '${url}'`), /PUPPETFILE_NO_SOURCE/],
    [of(`'a', git: '${url}', branch: '--upload-pack=x'`), /^2 PUPPETFILE_REF/],
    [of(`'a', git: '${url}', branch: 'a..b'`), /^2 PUPPETFILE_REF/],
    [of(`'a', git: '${url}', branch: ['a']`), /^2 PUPPETFILE_NOT_TEXT .*not a Array/],
    [of(`'a', git: '${url}', exclude_spec: 'yes'`), /^2 PUPPETFILE_NOT_TEXT .*true or false/],
    [of("'a', git: 'ext::sh -c touch% /tmp/x'"), /^2 REMOTE_REFUSED/],
    [of("'a', git: '-u./x'"), /^2 REMOTE_REFUSED/],
    [of("'a', git: 'ssh://-oProxyCommand=x/y'"), /^2 REMOTE_REFUSED/],
    [of("'a', git: 'git://github.com/acme/x'"), /^2 REMOTE_REFUSED .*https or ssh/],
    [of("'a', git: 'https://me:hidden@github.com/acme/x'"), /^2 PUPPETFILE_PASSWORD (?!.*hidden)/],
    [
      of("'a', git: 'https://github.com/acme-evil/x'"),
      /^2 PUPPETFILE_SOURCE_REFUSED .*'https:\/\/github.com\/acme-evil'/,
    ],
    [of("'a', git: 'https://github.com/acme/../evil/x'"), /PUPPETFILE_SOURCE_REFUSED/],
    [of("'a', git: 'https://github.com/acme/%2e%2e/evil/x'"), /PUPPETFILE_SOURCE_REFUSED/],
    [of("'a', git: 'https://github.com/acme/%2e%2e%2fevil/x'"), /PUPPETFILE_ADDRESS/],
    [of("'a', git: 'https://github.com/acme%2fx'"), /PUPPETFILE_ADDRESS/],
    [of("'a', git: 'http://github.com/acme/x'"), /PUPPETFILE_SOURCE_REFUSED/],
    [of("'a', git: 'https://github.com:8443/acme/x'"), /PUPPETFILE_SOURCE_REFUSED/],
    [of("'a', git: 'https://github.com.evil.test/acme/x'"), /PUPPETFILE_SOURCE_REFUSED/],
    [of("'a', git: 'https://github.com@evil.test/acme/x'"), /PUPPETFILE_SOURCE_REFUSED/],
    [of("'a', git: '/srv/git/x.git'"), /PUPPETFILE_SOURCE_REFUSED/],
    [of("'a', git: 'file:///srv/git/x.git'"), /PUPPETFILE_SOURCE_REFUSED/],
    [of("'a', git: 'git@git.example.com:puppet-evil/x'"), /PUPPETFILE_SOURCE_REFUSED/],
    [of("'a', git: 'git@git.example.com:puppet/../x'"), /PUPPETFILE_ADDRESS/],
    // The host of the list, and no URL: git says "protocol 'git@git.example.com' is not supported".
    [of("'a', git: 'git@git.example.com://puppet/x'"), /^2 REMOTE_REFUSED .*the protocol is unknown/],
    [of("'a', git: 'git@git.example.com:puppet/x://y'"), /^2 PUPPETFILE_ADDRESS .*its path is ambiguous/],
    [of("'a', git: 'root@git.example.com:puppet/x'"), /PUPPETFILE_SOURCE_REFUSED/],
    [of("'a', type: 'tarball', source: 'file:///etc/x.tgz'"), /PUPPETFILE_ADDRESS/],
    [of("'a', type: 'tarball', source: 'https://forge.acme.test/x', version: '12'"), /PUPPETFILE_DIGEST/],
    ["forge 'https://other.test'", /^1 PUPPETFILE_SOURCE_REFUSED The Forge comes from/],
    [
      "forge 'https://x' + ':d' * 8000",
      /^1 PUPPETFILE_ADDRESS The Forge: the URL 'https:\/\/x(?::d)+:?…' is not allowed/,
    ],
    ["moduledir '/etc'", /^1 PUPPETFILE_PLACE .*outside of the environment/],
    ["moduledir '../x'", /^1 PUPPETFILE_PLACE .*contains '\.\.'/],
    ["moduledir '/etc/puppetlabs/code/environments/production/../x'", /^1 PUPPETFILE_PLACE .*contains '\.\.'/],
    ["moduledir '/etc/puppetlabs/code/environments/production2'", /^1 PUPPETFILE_PLACE .*outside/],
    [of(`'a', git: '${url}', install_path: '.git/hooks'`), /^2 PUPPETFILE_PLACE/],
    [of(`'a', git: '${url}', install_path: '.GIT'`), /^2 PUPPETFILE_PLACE/],
    [of(`'a', git: '${url}', install_path: "a\\0b"`), /^2 PUPPETFILE_PLACE/],
    [of(`'a', git: '${url}', install_path: "a\\u202e"`), /^2 PUPPETFILE_PLACE/],
    [of(`'a', git: '${url}', install_path: 'manifests'`), /^2 PUPPETFILE_PLACE .*manifests/],
    [of(`'data', git: '${url}', install_path: ''`), /^2 PUPPETFILE_PLACE .*replace data/],
    [
      of("'a/b', '1.0.0'\nmod 'c-b', '2.0.0'"),
      /^3 PUPPETFILE_DUPLICATES .*: b \| The module is also declared on line 2/,
    ],
    [
      of(`'a/b', '1.0.0'\nmod 'c', git: '${url}', install_path: 'modules/b/files'`),
      /^3 PUPPETFILE_PLACE .*inside the module a\/b/,
    ],
    ['2001.times { |n| mod "a/m#{n}", \'1.0.0\' }', /PUPPETFILE_FAILED .*exceeds 2000 declarations/],
    [of(`'a/${'b'.repeat(200)}', '1.0.0'`), /PUPPETFILE_MODULE_NAME/],
    [of(`'a', git: 'https://github.com/acme/${'b'.repeat(3000)}'`), /PUPPETFILE_TOO_MUCH/],
  ]
  it.each(cases)('%j', async (text, complaint) => {
    expect(await complaints(text)).toMatch(complaint)
  })

  it('is told all at once', async () => {
    const said = await complaints("mod 'a/b', 'one'\nmod 'stdlib', '1.0.0'\nmod 'c/d', '1.0.0'\nmod 'e', svn: 'x'\n")
    expect(said.split('\n').map((line) => line.split(' ', 2).join(' '))).toEqual([
      ...['1 PUPPETFILE_VERSION', '2 PUPPETFILE_NO_OWNER', '4 PUPPETFILE_SUBVERSION'],
    ])
  })

  it('covers nothing that the control repository has', async () => {
    const mod = `mod 'site', git: '${url}', install_path: '.'`
    expect(await complaints(mod, { present: ['site'] })).toMatch(/PUPPETFILE_PLACE .*replace site/)
    expect((await read(mod, { present: ['data'] })).modules[0]?.path).toBe('site')
    expect((await read(mod.replace("'site'", "'data'"), { present: ['site'] })).modules[0]?.path).toBe('data')
  })

  it('is too long', async () => {
    expect(await complaints('#'.repeat(1024 * 1024 + 1))).toMatch(/PUPPETFILE_TOO_MUCH/)
    expect(await complaints('\xff'.repeat(3)).then((said) => said)).toMatch(/PUPPETFILE_FAILED/)
  })
})

describe('a hostile Puppetfile', () => {
  const cases: readonly (readonly [text: string, complaint: RegExp])[] = [
    ["File.read('/etc/passwd')", /PUPPETFILE_FAILED .*No such file.* \| .*its own branch/],
    ["IO.read('|id')", /PUPPETFILE_FAILED/],
    ["open('|id').read", /PUPPETFILE_FAILED/],
    [
      "system('touch /tmp/plumb-was-here')",
      /PUPPETFILE_FAILED .* \| A Puppetfile can read the files of its own branch/,
    ],
    ['`id`', /PUPPETFILE_FAILED/],
    ["exec 'id'", /PUPPETFILE_FAILED/],
    ['fork { }', /PUPPETFILE_FAILED/],
    ['Thread.new { loop {} }.join', /PUPPETFILE_FAILED/],
    ["require 'net/http'; Net::HTTP.get(URI('http://127.0.0.1/'))", /PUPPETFILE_FAILED/],
    ["require 'socket'; TCPSocket.new('127.0.0.1', 80)", /PUPPETFILE_FAILED/],
    ["File.write('/etc/x', 'y')", /PUPPETFILE_FAILED/],
    ['exit! 3', /PUPPETFILE_FAILED/],
    ['exit 0', /PUPPETFILE_FAILED/],
    ['def f(n) = f(n + 1)\nf(0)', /PUPPETFILE_FAILED/],
    ["x = 'a' * 1_000_000\nl = []\nloop { l << x.dup + 'b' }", /PUPPETFILE_FAILED/],
    [
      "mod 'a/b', Class.new(String) { def to_str = raise('x') }.new('1.0.0')\nraise ScriptError, 'end'",
      /PUPPETFILE_FAILED .*end/,
    ],
    ["File.open('/__bridge__', 'r+b') { |f| f.syswrite('[\"ok\",\"[]\"]') }", /PUPPETFILE_FAILED|no error/],
    [
      '::JSON.define_singleton_method(:generate) { |*| \'[["mod",1,"../../x","1.0.0"]]\' }',
      /^1 PUPPETFILE_MODULE_NAME/,
    ],
    ['::JSON.define_singleton_method(:generate) { |*| \'[["mod",-1,"a/b","1.0.0"]]\' }', /PUPPETFILE_NOT_TEXT/],
    ["::JSON.define_singleton_method(:generate) { |*| '[' * 100_000 }", /nest|JSON|PUPPETFILE/i],
    ["::JSON.define_singleton_method(:generate) { |*| '{}' }", /WIRE_SHAPE/],
  ]
  it.each(cases)('%j', async (text, complaint) => {
    expect(await complaints(text)).toMatch(complaint)
  })

  it('harms no other one', async () => {
    await complaints(
      'class String; def ==(other) = true; end\nObject.send(:remove_const, :JSON)\nObjectSpace.each_object(Class) { |c| c.freeze rescue nil }',
    )
    expect((await read("mod 'a/b', '1.0.0'")).modules).toHaveLength(1)
  })

  it('prints what nobody reads, and ends where it does not', async () => {
    expect((await read("puts 'x' * 10_000\nwarn 'y'\nmod 'a/b', '1.0.0'")).modules).toHaveLength(1)
    const quick = new PuppetfileEvaluator(undefined, 10_000)
    try {
      const request = { evaluator: quick, sources: readModuleSources(usual), branch: 'production' }
      await expect(readPuppetfile(Buffer.from("loop { puts 'x' }"), request)).rejects.toThrow(
        /took longer than 10 seconds/,
      )
      expect((await readPuppetfile(Buffer.from("mod 'a/b', '1.0.0'"), request)).modules).toHaveLength(1)
    } finally {
      await quick.close()
    }
  })
})
