import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NodeRuby } from '../../../src/ruby/node/node-ruby.ts'
import { isRubyNative, nativeRuby } from '../../support/native-ruby.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('gems')

/** A gemspec as RubyGems writes it. */
const describeGem = (name: string, version: string, more = '') => `# -*- encoding: utf-8 -*-
Gem::Specification.new do |s|
  s.name = "${name}".freeze
  s.version = "${version}"
  s.required_rubygems_version = Gem::Requirement.new(">= 0".freeze) if s.respond_to? :required_rubygems_version=
  s.require_paths = ["lib".freeze]
  s.licenses = ["MIT".freeze]
  ${more}
end
`

const files: Readonly<Record<string, string>> = {
  'home/gems/greeting-1.2.0/lib/greeting.rb': "module Greeting; VERSION = '1.2.0'; end",
  'home/specifications/greeting-1.2.0.gemspec': describeGem('greeting', '1.2.0'),
  'home/gems/greeting-2.0.0/lib/greeting.rb': "require 'words/polite'\nmodule Greeting; VERSION = '2.0.0'; end",
  'home/specifications/greeting-2.0.0.gemspec': describeGem(
    'greeting',
    '2.0.0',
    's.add_runtime_dependency(%q<words>.freeze, ["~> 1.0"])',
  ),
  'home/gems/words-1.5.0/lib/words/polite.rb': 'module Polite; end',
  'home/specifications/words-1.5.0.gemspec': describeGem('words', '1.5.0'),
  'home/gems/words-3.0.0/lib/words/polite.rb': "raise 'wrong version'",
  'home/specifications/words-3.0.0.gemspec': describeGem('words', '3.0.0'),
  'home/gems/bare-0.1/lib/bare.rb': 'Bare = 1',
  'home/gems/compiled-1.0.0/lib/compiled.rb': "require 'compiled/native'",
  'home/gems/compiled-1.0.0/lib/compiled/native.so': 'ELF',
  'home/specifications/compiled-1.0.0.gemspec': describeGem('compiled', '1.0.0', 's.extensions = ["ext/extconf.rb"]'),
  'plain/parted.rb': 'module Parted; autoload :Piece, "parted/piece"; autoload :Gone, "parted/gone"; end',
  'plain/parted/piece.rb': 'class Parted::Piece; end',
  'home/gems/puppet-7.0.0/lib/puppet/own.rb': "raise 'another Puppet'",
  'home/gems/broken-1.0.0/lib/broken.rb': 'Broken = 1',
  'home/specifications/broken-1.0.0.gemspec': 'this is not Ruby (',
  'module/lib/puppet/x.rb': '',
  'module/vendor/gems/brought-4.0.0/lib/brought.rb': "module Brought; FROM = 'module'; end",
  'home/gems/brought-9.0.0/lib/brought.rb': "module Brought; FROM = 'machine'; end",
}

let machines: NodeRuby[] = []
beforeAll(() => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
})
afterAll(async () => {
  await Promise.all(machines.map((each) => each.close()))
  machines = []
})

/** Evaluates code in a Ruby of its own; an exception becomes text. */
async function evaluate(code: string): Promise<unknown> {
  const options = {
    ...{ root: '', facts: {}, env: {}, cwd: folder, debug: false },
    nativeRuby,
    settings: { gem_path: `${folder}/none:${folder}/ho*` },
    loadPath: [join(folder, 'module/lib')],
  }
  const ruby = new NodeRuby(options, () => {})
  machines.push(ruby)
  const text = `begin; ${code}; rescue Exception => error; "#{error.class}: #{error.message}"; end`
  return ruby.call('evaluate', [text, '/t.rb'])
}

/** Makes a folder one of Ruby's own library directories. */
const libraryDirectory = isRubyNative
  ? `$LOAD_PATH.push('${folder}/plain')`
  : `Plumb::Gems.__send__(:remove_const, :PLAIN); Plumb::Gems::PLAIN = ['${folder}/plain']`

describe('gems on a node', () => {
  it.each<[string, string, unknown]>([
    [
      'require loads the newest, with its dependency',
      "require 'greeting'; [Greeting::VERSION, Polite.class.name]",
      ['2.0.0', 'Module'],
    ],
    ['gem chooses a version', "gem 'greeting', '~> 1.0'; require 'greeting'; Greeting::VERSION", '1.2.0'],
    ['gem, twice', "[gem('greeting', '2.0.0'), gem('greeting')]", [true, false]],
    [
      'gem, another version than the loaded one',
      "gem 'greeting', '2.0.0'; gem 'greeting', '< 2'",
      expect.stringMatching(/^Gem::LoadError: can't activate greeting.*, already activated greeting-2\.0\.0/),
    ],
    [
      'a missing version',
      "gem 'greeting', '>= 3'",
      expect.stringMatching(
        /^Gem::MissingSpec(?:Version)?Error: Could not find 'greeting' \(>= 3\) - did find: \[greeting-2\.0\.0,greeting-1\.2\.0\]/,
      ),
    ],
    [
      'a missing gem',
      "gem 'nothing'",
      expect.stringMatching(/^Gem::MissingSpecError: Could not find 'nothing' \(>= 0\) among \d+ total gem\(s\)/),
    ],
    ['a missing file', "require 'nothing/here'", 'LoadError: cannot load such file -- nothing/here'],
    ['a gem without a gemspec', "require 'bare'; Bare", 1],
    ['a gem of the module, before one of the machine', "require 'brought'; Brought::FROM", 'module'],
    [
      "automatic loads of a gem in Ruby's own library directory, as Debian installs gems",
      `${libraryDirectory}
        require 'parted'; [Parted::Piece.name, Parted.autoload?(:Gone), begin; Parted::Gone; rescue LoadError; 'missing'; end]`,
      ['Parted::Piece', 'parted/gone', 'missing'],
    ],
    ['a gem with a broken gemspec', "require 'broken'; Broken", 1],
    [
      'a gem with a C extension',
      "require 'compiled'",
      isRubyNative
        ? expect.stringMatching(/^LoadError: .*native\.so: file too short/)
        : 'LoadError: cannot load such file -- compiled/native: the gem compiled-1.0.0 has a C extension, which the built-in Ruby cannot load; use a gem in pure Ruby, a program, or ruby_provider = native',
    ],
    ['not the files of another Puppet', "require 'puppet/own'", 'LoadError: cannot load such file -- puppet/own'],
    [
      'Gem::Specification',
      "gem = Gem::Specification.find_by_name('words', '~> 1'); [gem.version.to_s, File.basename(gem.gem_dir), gem.licenses]",
      ['1.5.0', 'words-1.5.0', ['MIT']],
    ],
    [
      'Gem.loaded_specs',
      "require 'greeting'; %w[brought greeting words] & Gem.loaded_specs.keys",
      ['greeting', 'words'],
    ],
    [
      'a feature that is a gem',
      "Puppet.features.add(:greeting, libs: ['greeting']); Puppet.features.add(:none, libs: ['nothing']); [Puppet.features.greeting?, Puppet.features.none?]",
      [true, false],
    ],
  ])('%s', async (_, code, expected) => {
    expect(await evaluate(code)).toEqual(expected)
  })
})
