import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { execaSync } from 'execa'
import { describe, expect, it } from 'vitest'
import { parseReleases } from '../../../src/node/gems/compact-index.ts'
import { GemDirectory } from '../../../src/node/gems/gem-directory.ts'
import { GemInstaller } from '../../../src/node/gems/gem-installation.ts'
import { uninstallGem } from '../../../src/node/gems/gem-removal.ts'
import { resolveDependencies } from '../../../src/node/gems/gem-resolution.ts'
import { createRubySandbox } from '../../../src/ruby/ruby-sandbox.ts'
import { rubyVersion } from '../../../src/ruby/ruby-version.ts'
import { ownRuby } from '../../../src/ruby/worker-share.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type GemToPack, packGem } from './packed-gem.ts'

const folder = scratchFolder('gems')
const rubygems = recordedAnswers(import.meta.filename, 'RubyGems 3.3.15')

/** Gemspecs with attributes of all kinds, by name. Each gem has lib/NAME.rb. */
const gemspecs: Readonly<Record<string, string>> = {
  plain: '',
  dependent:
    "s.add_dependency 'a', '~> 1.0', '>= 1.0.1'; s.add_dependency 'b_c'; s.add_development_dependency 'rake', '!= 3'",
  words:
    's.description = "Two\\nlines \\"quoted\\" \\\\ \\t\\e #{1} \\#{x} \\#$y #z"; s.email = ["a@example.com"]; s.homepage = "http://x"; s.license = "MIT"',
  unicode: 's.authors = ["Zo\\u00eb", "\\u{1f600}"]; s.summary = "caf\\u00e9"',
  bounds: "s.required_ruby_version = ['>= 2.5', '< 4']; s.required_rubygems_version = '>= 1.3.6'",
  paths: "s.require_paths = %w[lib ext]; s.executables = ['run']; s.bindir = 'exe'; s.extra_rdoc_files = ['README.md']",
  more: "s.metadata = { 'b' => '1', 'a_uri' => 'http://y' }; s.post_install_message = \"hi\\n\"; s.rdoc_options = ['--main', 'x']; s.requirements = ['y']; s.email = 'one@example.com'",
  early: "s.version = '2.0.0.rc1'",
}

interface BuiltGem {
  readonly file: string
  readonly gemspec: string
}

/** Builds and installs a gem with Debian's RubyGems. */
function buildGem(name: string): BuiltGem {
  const place = mkdtempSync(join(folder, 'built-'))
  for (const path of [`lib/${name}.rb`, 'exe/run', 'README.md']) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), `# ${path}\n`)
  }
  const text = `Gem::Specification.new do |s|
  s.name = '${name}'; s.version = '1.2.0'; s.summary = 'S'; s.authors = ['A']; s.files = ['lib/${name}.rb', 'exe/run', 'README.md']
  ${gemspecs[name]}
end`
  writeFileSync(join(place, 'x.gemspec'), text)
  const env = { SOURCE_DATE_EPOCH: '1600000000' }
  execaSync('gem', ['build', 'x.gemspec', '-o', 'x.gem'], { cwd: place, env })
  execaSync('gem', ['install', '--local', '--force', '--no-document', '-i', 'inst', 'x.gem'], { cwd: place, env })
  const [spec] = readdirSync(join(place, 'inst/specifications')).filter((each) => each.endsWith('.gemspec'))
  return {
    file: readFileSync(join(place, 'x.gem')).toString('base64'),
    gemspec: readFileSync(join(place, 'inst/specifications', spec!), 'utf8'),
  }
}

async function installFile(file: Uint8Array): Promise<{ readonly directory: GemDirectory; readonly names: string[] }> {
  const place = mkdtempSync(join(folder, 'installed-'))
  const path = join(place, 'given.gem')
  writeFileSync(path, file)
  const directory = new GemDirectory(join(place, 'gems'))
  const installed = await new GemInstaller(directory, []).installFile(path, { ignoresDependencies: true })
  return { directory, names: installed.map(({ name, version }) => `${name} ${version}`) }
}

describe('the gemspec of an installed gem', () => {
  const built = rubygems.all<BuiltGem>(gemspecs, () =>
    Object.fromEntries(Object.keys(gemspecs).map((name) => [name, buildGem(name)])),
  )

  it.each(Object.keys(gemspecs))('has the bytes that RubyGems writes: %s', async (name) => {
    const { directory } = await installFile(Buffer.from(built[name]!.file, 'base64'))
    const [file] = readdirSync(join(directory.path, 'specifications'))
    expect(readFileSync(join(directory.path, 'specifications', file!), 'utf8')).toBe(built[name]!.gemspec)
  })
})

describe('a gem that cannot be installed', () => {
  const plain = { name: 'bad', version: '1.0.0' }
  it.each<[string, GemToPack, string]>([
    ['a path outside', { ...plain, files: { '../x.rb': '' } }, "entry '../x.rb': the path contains '..'"],
    ['an absolute path', { ...plain, files: { '/x.rb': '' } }, "entry '/x.rb': the path is absolute"],
    [
      'a link outside',
      { ...plain, files: { 'lib/x': { type: 'symlink', linkname: '../../../etc' } } },
      "entry 'lib/x': the symbolic link points outside the archive",
    ],
    ['a hard link', { ...plain, files: { x: { type: 'link', linkname: '/etc/passwd' } } }, 'the entry type link'],
    [
      'a file through a link',
      {
        ...plain,
        files: [
          ['a', { type: 'symlink', linkname: 'lib' }],
          ['a/x', ''],
        ],
      },
      'its parent a is a file',
    ],
    ['a bomb', { ...plain, files: { x: Buffer.alloc(64 * 1024 * 1024) } }, 'its uncompressed size exceeds'],
    ['no files', { ...plain, parts: { 'data.tar.gz': undefined } }, 'data.tar.gz is missing'],
    ['no metadata', { ...plain, parts: { 'metadata.gz': undefined } }, 'metadata.gz is missing'],
    ['no gzip', { ...plain, parts: { 'metadata.gz': Buffer.from('x') } }, 'has the SHA-256'],
    ['other metadata', { ...plain, parts: { 'metadata.gz': gzipSync('--- {}') } }, 'metadata.gz has the SHA-256'],
    ['a name with a path', { name: '../x', version: '1' }, "is not a valid gem: the name '../x'"],
    ['a version with code', { name: 'x', version: '"1#{exit}"' }, 'is not a valid gem: the version'],
    [
      'a version with a line feed',
      { name: 'x', version: '"1.0\\n"' },
      "given.gem is not a valid gem: the version '1.0\\x0a'",
    ],
    [
      'unreadable checksums',
      { ...plain, parts: { 'checksums.yaml.gz': gzipSync('--- [\n') } },
      'given.gem is not a valid gem: checksums.yaml.gz: ',
    ],
    [
      'a long text with many aliases',
      { ...plain, metadata: `description: &a ${'a'.repeat(1_000_000)}\nauthors: [${'*a,'.repeat(100_000)}]\n` },
      'given.gem is not a valid gem: metadata.gz: the metadata with its aliases has more than 4194304 bytes',
    ],
    [
      'a long dependency with many aliases',
      {
        ...plain,
        parts: {
          'checksums.yaml.gz': undefined,
          'metadata.gz': gzipSync(
            `name: x\nversion: '1'\nx: &d {name: d, requirement: {requirements: [${'["=", "1.0"],'.repeat(50_000)}]}}\n` +
              `dependencies: [${'*d,'.repeat(100_000)}]\n`,
          ),
        },
      },
      'the metadata with its aliases has more than 4194304 bytes',
    ],
    ['a C extension', { ...plain, metadata: 'extensions:\n- ext/extconf.rb\n' }, 'bad-1.0.0 has a C extension'],
    ['another platform', { ...plain, metadata: 'platform: java\n' }, 'bad-1.0.0-java is built for the platform java'],
    [
      'another Ruby',
      {
        ...plain,
        metadata: `required_ruby_version: !ruby/object:Gem::Requirement
  requirements:
  - - ">="
    - !ruby/object:Gem::Version
      version: '4'
`,
      },
      `bad-1.0.0 requires Ruby version >= 4. The current ruby version is ${rubyVersion}.`,
    ],
  ])('has %s', async (_, gem, message) => {
    const { file } = await packGem(gem)
    await expect(installFile(file)).rejects.toThrow(message)
  })

  it('is no archive', async () => {
    await expect(installFile(Buffer.from('nonsense'))).rejects.toThrow('given.gem is not a valid gem')
  })

  it('leaves nothing behind', async () => {
    const place = mkdtempSync(join(folder, 'rejected-'))
    writeFileSync(join(place, 'x.gem'), (await packGem({ ...plain, files: { 'a/x': '', '../b': '' } })).file)
    const directory = new GemDirectory(join(place, 'gems'))
    await expect(new GemInstaller(directory, []).installFile(join(place, 'x.gem'))).rejects.toThrow(
      'x.gem is not a valid gem',
    )
    expect(readdirSync(directory.path)).toEqual([])
  })
})

describe('a directory of gems', () => {
  it('removes what a killed process left', async () => {
    const { file } = await packGem({ name: 'whole', version: '1.0.0' })
    const { directory } = await installFile(file)
    mkdirSync(join(directory.path, 'gems/half-1.0.0/lib'), { recursive: true })
    mkdirSync(join(directory.path, '.staging-00'))
    for (const name of ['.unfinished-half-1.0.0', '.unfinished-whole-1.0.0']) mkdirSync(join(directory.path, name))
    for (const name of ['cache/half-1.0.0.gem', '.staging-00.lock.5', '.staging-01.lock'])
      writeFileSync(join(directory.path, name), '99999999')
    await directory.lock(async () => {})
    expect(readdirSync(directory.path)).toEqual(['cache', 'gems', 'specifications'])
    expect(readdirSync(join(directory.path, 'gems'))).toEqual(['whole-1.0.0'])
    expect(readdirSync(join(directory.path, 'cache'))).toEqual(['whole-1.0.0.gem'])
  })

  it('keeps the version from before if its replacement fails at any step', async () => {
    const { file } = await packGem({ name: 'old', version: '1.0.0', files: { 'lib/old.rb': 'old' } })
    const parts = ['specifications/old-1.0.0.gemspec', 'cache/old-1.0.0.gem', 'gems/old-1.0.0/lib/old.rb']
    for (const missing of ['file', 'folder']) {
      const { directory } = await installFile(file)
      const read = () => parts.map((part) => readFileSync(join(directory.path, part), 'latin1'))
      const before = read()
      const replace = (scratch: string) => {
        const [folder, file] = [join(scratch, 'folder'), join(scratch, 'file')]
        if (missing !== 'folder') mkdirSync(folder)
        if (missing !== 'file') writeFileSync(file, 'new')
        const gem = { name: 'old', version: '1.0.0', platform: 'ruby', dependencies: [], folder, file, gemspec: '' }
        return directory.lock(() => directory.commit(gem, scratch))
      }
      await expect(directory.stage(replace)).rejects.toThrow()
      await directory.lock(async () => {})
      expect(read(), missing).toEqual(before)
      expect(readdirSync(directory.path)).toEqual(['cache', 'gems', 'specifications'])
    }
  })

  it('can be changed by others while a gem is staged', async () => {
    const { file } = await packGem({ name: 'quick', version: '1.0.0' })
    const { directory } = await installFile(file)
    await directory.stage(async (scratch) => {
      writeFileSync(join(scratch, 'part'), '')
      const other = new GemDirectory(directory.path)
      expect(await uninstallGem(other, 'quick', {})).toHaveLength(1)
      expect(readdirSync(scratch)).toEqual(['part'])
    })
    expect(readdirSync(directory.path)).toEqual(['cache', 'gems', 'specifications'])
  })

  it('installs no gem whose dependency another process has just removed', async () => {
    /** Another process removes a gem between the staging, which locks first, and the second lock. */
    class SharedDirectory extends GemDirectory {
      #locks = 0
      override async lock<Result>(work: () => Promise<Result>): Promise<Result> {
        if (++this.#locks === 2) await uninstallGem(new GemDirectory(this.path), 'used', {})
        return super.lock(work)
      }
    }
    const { directory } = await installFile((await packGem({ name: 'used', version: '1.5.0' })).file)
    const path = join(dirname(directory.path), 'user.gem')
    writeFileSync(path, (await packGem({ name: 'user', version: '1.0.0', dependencies: { used: '~> 1.0' } })).file)
    const install = () => new GemInstaller(new SharedDirectory(directory.path), []).installFile(path)
    await expect(install()).rejects.toThrow('used-1.5.0 was uninstalled during the installation, which requires it')
    expect(await directory.list()).toEqual([])
  })

  it('installs the same file once, and another file of the same version', async () => {
    const { file } = await packGem({ name: 'same', version: '1.0.0', files: { 'lib/same.rb': '1' } })
    const { directory, names } = await installFile(file)
    const again = join(dirname(directory.path), 'given.gem')
    const installer = new GemInstaller(directory, [])
    expect([names, await installer.installFile(again)]).toEqual([['same 1.0.0'], []])
    writeFileSync(again, (await packGem({ name: 'same', version: '1.0.0', files: { 'lib/same.rb': '2' } })).file)
    expect(await installer.installFile(again)).toHaveLength(1)
    expect(readFileSync(join(directory.path, 'gems/same-1.0.0/lib/same.rb'), 'utf8')).toBe('2')
  })

  it('keeps a gem that another gem requires', async () => {
    const { file } = await packGem({ name: 'user', version: '1.0.0', dependencies: { used: '~> 1.0' } })
    const { directory } = await installFile(file)
    const path = join(dirname(directory.path), 'used.gem')
    writeFileSync(path, (await packGem({ name: 'used', version: '1.5.0' })).file)
    await new GemInstaller(directory, []).installFile(path)
    await expect(uninstallGem(directory, 'used', {})).rejects.toThrow('used-1.5.0 is required by user-1.0.0')
    await expect(uninstallGem(directory, 'usd', {})).rejects.toThrow("gem 'usd' is not installed")
    await uninstallGem(directory, 'user', {})
    await uninstallGem(directory, 'used', { version: '~> 1.0' })
    expect(await directory.list()).toEqual([])
  })
})

describe('the compact index', () => {
  const sum = 'a'.repeat(64)

  it('is parsed', () => {
    const text = `---\n1.0 |checksum:${sum}\n2.0.rc1-java a:>= 1&< 2,b:= 3|checksum:${sum},ruby:>= 2.5&< 4.dev,rubygems:> 1.3.1\n`
    expect(parseReleases('x', text)).toEqual([
      {
        name: 'x',
        version: '1.0',
        platform: 'ruby',
        dependencies: [],
        ruby: ['>= 0'],
        rubygems: ['>= 0'],
        sha256: sum,
      },
      {
        ...{ name: 'x', version: '2.0.rc1', platform: 'java', sha256: sum, rubygems: ['> 1.3.1'] },
        ruby: ['>= 2.5', '< 4.dev'],
        dependencies: [
          { name: 'a', requirements: ['>= 1', '< 2'] },
          { name: 'b', requirements: ['= 3'] },
        ],
      },
    ])
  })

  it.each([
    '1.0 |',
    '1.0 |checksum:x',
    `x |checksum:${sum}`,
    `1.0 ../a:>= 1|checksum:${sum}`,
    `1.0 a:~|checksum:${sum}`,
    '<html>',
  ])('is rejected: %s', (line) => {
    expect(parseReleases('x', `---\n${line}\n`)).toHaveProperty('why')
  })
})

describe('dependencies', () => {
  /** Gems by name: versions, each with its needs. */
  type World = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>
  const candidates = (world: World, name: string) =>
    Object.entries(world[name] ?? {}).map(([version, needs]) => ({
      name,
      version,
      dependencies: Object.entries(needs).map(([each, bounds]) => ({ name: each, requirements: bounds.split(', ') })),
    }))
  const solve = async (world: World) => {
    const found = await resolveDependencies(candidates(world, 'root')[0]!, async (name) => candidates(world, name))
    return found.map(({ name, version }) => `${name} ${version}`).join(', ')
  }

  it.each<[string, World, string]>([
    ['the first that fits', { root: { 1: { a: '< 2' } }, a: { '3.0': {}, '1.9': {}, '1.0': {} } }, 'a 1.9, root 1'],
    [
      'an older one, because of another gem',
      {
        root: { 1: { a: '> 0', b: '> 0' } },
        a: { 2: { c: '= 2' }, 1: { c: '= 1' } },
        b: { 1: { c: '= 1' } },
        c: { 2: {}, 1: {} },
      },
      'c 1, a 1, b 1, root 1',
    ],
    ['a circle', { root: { 1: { a: '> 0' } }, a: { 1: { root: '= 1' } } }, 'a 1, root 1'],
    ['no prerelease', { root: { 1: { a: '>= 0' } }, a: { '2.a': {}, 1: {} } }, 'a 1, root 1'],
    ['a prerelease that is named', { root: { 1: { a: '>= 2.a' } }, a: { '2.b': {}, 1: {} } }, 'a 2.b, root 1'],
  ])('choose %s', async (_, world, expected) => {
    expect(await solve(world)).toBe(expected)
  })

  it('name what cannot be met', async () => {
    await expect(solve({ root: { 1: { a: '> 0' } }, a: { 1: { b: '~> 2.0' } }, b: { 1: {} } })).rejects.toThrow(
      "Unable to resolve dependency: 'a (= 1)' requires 'b (~> 2.0)'",
    )
  })

  it('end after a number of attempts', async () => {
    const versions = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`${at + 1}`, { z: '= 0' }]))
    const names = Array.from({ length: 12 }, (_, at) => `n${at}`)
    const world = { root: { 1: Object.fromEntries(names.map((each) => [each, '> 0'])) }, z: { 1: {} } }
    const wide = { ...world, ...Object.fromEntries(names.map((each) => [each, versions])) }
    await expect(solve(wide)).rejects.toThrow('were not satisfied after 10000 attempts')
  })
})

it('knows the version of its Ruby', () => {
  const machine = createRubySandbox(ownRuby.image(), {})
  expect(machine.call('evaluate', ['RUBY_VERSION', '/t.rb'], () => null)).toBe(rubyVersion)
})
