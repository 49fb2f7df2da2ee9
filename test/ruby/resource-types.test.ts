import { describe, expect, it } from 'vitest'
import type { CompileEnvironment } from '../../src/code/environments/compile-environment.ts'
import { compile } from '../../src/compiler/compile.ts'
import type { CompileRequest } from '../../src/compiler/request/compile-request.ts'
import { treeOf } from '../support/map-tree.ts'
import { plainRequest } from '../support/plain-request.js'
import { refusal } from './compiling.ts'

describe('types of modules', () => {
  const files = {
    'modules/m/lib/puppet/type/pair.rb': `
      require 'puppet_x/pairs'
      Puppet::Type.newtype(:pair) do
        PuppetX::Pairs.patterns(self)
        newparam(:left, namevar: true) { newvalues(:a, /b+/) }
        newparam(:right, namevar: true) { munge { |value| value.upcase } }
        newproperty(:size, array_matching: :all) { defaultto 1 }
        ensurable
        validate { raise 'on the agent only' }
        autorequire(:file) { self[:left] }
      end`,
    'modules/m/lib/puppet_x/pairs.rb': `
      module PuppetX
        module Pairs
          def self.patterns(type)
            type.define_singleton_method(:title_patterns) do
              [[/\\A(\\w+)-(\\w+)\\z/, [[:left, ->(x) { x }], [:right, proc { |text| text.reverse }]]],
               [/\\A(\\w+)\\z/, [[:left]]]]
            end
          end
        end
      end`,
    'modules/m/lib/puppet/type/twin.rb': `Puppet::Type.newtype(:twin) do
        newparam(:name)
        @isomorphic = false
      end`,
    'modules/m/lib/puppet/type/described.rb': `
      require 'puppet/resource_api'
      Puppet::ResourceApi.register_type(
        name: 'described', docs: 'x', features: [],
        attributes: {
          ensure: { type: 'Enum[present, absent]', desc: '' },
          id: { type: 'String', desc: '', behaviour: :namevar },
          force: { type: 'Boolean', desc: '', behaviour: :parameter }
        })`,
    'modules/m/lib/puppet/provider/twin/one.rb': 'raise "no provider is loaded"',
    'modules/m/lib/puppet/type/broken.rb': 'Puppet::Type.newtype(:broken) do\n  newparam(:x, parent: Missing)\nend',
    'modules/m/lib/puppet/type/like_file.rb': `
      require 'puppet/type/file/mode'
      Puppet::Type.newtype(:like_file) do
        newparam(:name)
        newparam(:mode, parent: Puppet::Type::File::Mode) { validate { |value| super(value) } }
        Puppet::Type.type(:exec).parameters.each { |name| newparam(name) unless name == :command }
      end`,
  }

  it.each([
    ["pair { 'x-abc': }", { left: 'x', right: 'cba' }],
    ["pair { 'x': right => 'r', size => 2 }", { left: 'x', right: 'r', size: 2 }],
    ["twin { 'x': provider => 'one' }", { provider: 'one' }],
    ["described { 'x': ensure => present, force => true }", { ensure: 'present', force: true }],
    ["like_file { 'x': mode => '1', umask => '022' }", { mode: '1', umask: '022' }],
  ])('%s', (code, parameters) => {
    const { catalog } = compile(requestOf(environmentOf(files, code)))
    expect(Object.fromEntries(catalog.resources.at(-1)!.parameters)).toEqual(parameters)
  })

  it.each([
    ["pair { 'x': colour => 1 }", "no parameter named 'colour'"],
    ["pair { 'a b': }", 'No set of title patterns matched the title "a b".'],
    ["pair { 'x-ab': } pair { 'again': left => 'x', right => 'ba' }", 'Cannot alias Pair[again] to ["x", "ba"]'],
    ["described { 'x': id => 'one' } described { 'y': id => 'one' }", 'Cannot alias Described[y] to ["one"]'],
    ["described { 'x': provider => 'p' }", "no parameter named 'provider'"],
    ["broken { 'x': }", 'Could not autoload puppet/type/broken: uninitialized constant '],
    ["pair { 'x-ab': } notify { 'n': require => Pair['ab-x'] }", "Could not find resource 'Pair[ab-x]'"],
  ])('refuses %s', (code, message) => {
    expect(refusal(files, code)).toContain(message)
  })

  it('may repeat where they are not isomorphic, and are found by what the title tells', () => {
    const code =
      "twin { 'x': name => 'same' } twin { 'y': name => 'same' } pair { 'x': right => 'ba' } Pair['x-ab'] -> Twin['x']"
    expect(compile(requestOf(environmentOf(files, code))).catalog.resources.map(({ type }) => type)).toContain('Pair')
  })

  it('are those of their own environment, and of the code as it is', () => {
    const version = (parameter: string) => ({
      'modules/m/lib/puppet/type/changing.rb': `require 'puppet_x/attributes'
        Puppet::Type.newtype(:changing) { newparam(:name); newparam(PuppetX::ATTRIBUTE) }`,
      'modules/m/lib/puppet_x/attributes.rb': `module PuppetX; ATTRIBUTE = :${parameter}; end`,
    })
    for (const round of [1, 2, 3])
      for (const own of ['one', 'two']) {
        const other = own === 'one' ? 'two' : 'one'
        const work = (name: string) =>
          compile(requestOf(environmentOf(version(own), `changing { 'x': ${name} => ${round} }`, own)))
        expect(work(own).catalog.resources.at(-1)!.parameters.get(own)).toBe(round)
        expect(() => work(other)).toThrow(`no parameter named '${other}'`)
      }
  })
})

function environmentOf(files: Readonly<Record<string, string>>, code: string, name = 'production'): CompileEnvironment {
  const tree = treeOf(files, `/code/${name}`)
  const manifest = { text: code }
  return { name, tree, modulepath: [{ tree, path: 'modules' }], manifest, version: 1, globalHiera: undefined }
}

function requestOf(environment: CompileEnvironment): CompileRequest {
  const facts = { os: { family: 'Debian', name: 'Debian', release: { major: '12' } } }
  return plainRequest(environment, { facts, trusted: { certname: 'n1' } })
}
