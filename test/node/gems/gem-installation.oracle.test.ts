import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plumbHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { type GemServerForTests, type ServedGem, serveGems } from './gem-index.ts'

const folder = scratchFolder('gems-of-debian')
let server: GemServerForTests

/** Builds a gem with Debian's `gem build`. */
async function buildGem(
  name: string,
  version: string,
  ruby: string,
  index: Pick<ServedGem, 'dependencies' | 'properties'> = {},
): Promise<ServedGem> {
  const place = join(folder, 'build', `${name}-${version}`)
  for (const path of [`lib/${name}.rb`, `lib/${name}/version.rb`, 'README.md']) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), `# ${name} ${version}\n`)
  }
  const text = `Gem::Specification.new do |s|
  s.name = '${name}'; s.version = '${version}'; s.summary = 'S'; s.authors = ['A']; s.licenses = ['MIT']
  s.files = Dir['lib/**/*.rb'] + ['README.md']
  ${ruby}
end`
  writeFileSync(join(place, 'x.gemspec'), text)
  await execa('gem', ['build', 'x.gemspec', '-o', 'x.gem'], { cwd: place })
  return { name, version, ...index, file: readFileSync(join(place, 'x.gem')) }
}

/** The descriptions of gems in RubyGems' own format, which its client reads besides the compact index, by path. */
async function describeGems(gems: readonly ServedGem[]): Promise<Readonly<Record<string, Uint8Array>>> {
  const script = `require 'rubygems/package'; require 'base64'; require 'zlib'
    spec = Gem::Package.new(ARGV[0]).spec; spec.files = []
    print Base64.strict_encode64(Zlib::Deflate.deflate(Marshal.dump(spec)))`
  const described = gems.map(async ({ name, version }) => {
    const { stdout } = await execa('ruby', ['-e', script, join(folder, 'build', `${name}-${version}`, 'x.gem')])
    return [`/quick/Marshal.4.8/${name}-${version}.gemspec.rz`, Buffer.from(stdout, 'base64')] as const
  })
  return Object.fromEntries(await Promise.all(described))
}

/** The files of a directory of gems, with their content. */
function readTree(path: string): Readonly<Record<string, string>> {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(path.length), readFileSync(file, 'latin1')]),
  )
}

beforeAll(async () => {
  const gems = await Promise.all([
    buildGem('top', '2.1.0', "s.add_dependency 'middle', '~> 1.1'; s.add_dependency 'low', '>= 1', '< 3'", {
      dependencies: 'middle:~> 1.1,low:>= 1&< 3',
    }),
    buildGem('top', '2.2.0', "s.required_ruby_version = '>= 99'", { properties: ['ruby:>= 99'] }),
    buildGem('top', '3.0.0.beta', ''),
    buildGem('middle', '1.1.5', "s.add_dependency 'low', '= 1.4'", { dependencies: 'low:= 1.4' }),
    buildGem('middle', '2.0.0', ''),
    buildGem('low', '1.4', "s.metadata = { 'a' => '#{1}' }; s.description = 'caf\\u00e9'"),
    buildGem('low', '2.0', ''),
  ])
  server = await serveGems(gems, await describeGems(gems))
})
afterAll(() => server.close())

describe('a gem from a server with the compact index', () => {
  it.each([
    ['top', []],
    ['middle', ['--version', '~> 1.0']],
    ['top', ['--prerelease']],
    ['low', ['--version', '< 2']],
  ])('is installed as by RubyGems: %s %j', async (name, words) => {
    const [theirs, ours] = ['theirs', 'ours'].map((each) =>
      join(folder, `${each}-${name}-${words.length}${words.at(-1)?.length ?? ''}`),
    )
    const source = ['--clear-sources', '--source', server.url]
    const env = { HOME: folder, GEM_HOME: theirs, GEM_PATH: theirs, LC_ALL: 'C.UTF-8' }
    await execa('gem', ['install', name, ...words, '--no-document', '-i', theirs!, ...source], { env })
    const place = ['--confdir', join(ours!, 'etc'), '--vardir', join(ours!, 'var')]
    const own = ['gem', 'install', name, ...words, '-i', join(ours!, 'gems'), '--source', server.url]
    expect((await plumbHere([...own, ...place])).stderr).toBe('')
    expect(readTree(join(ours!, 'gems'))).toEqual(readTree(theirs!))
  })
})
