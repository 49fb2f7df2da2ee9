import { describe, expect, it } from 'vitest'
import type { CompileRequest } from '../../src/compiler/request/compile-request.ts'
import { countRecalledCalls } from '../../src/ruby/session/traced/call-memory.ts'
import { ownRuby, type RubyShare } from '../../src/ruby/worker-share.ts'
import { noticed } from './compiling.ts'

/** Of Puppet 4's kind, with one parameter for each name. */
function fourth(name: string, code: string, before = ''): Record<string, string> {
  const path = `modules/x/lib/puppet/functions/x/${name}.rb`
  return { [path]: `${before}\nPuppet::Functions.create_function(:'x::${name}') do\n${code}\nend\n` }
}

/** Of Puppet 3's kind. */
function third(name: string, code: string, before = ''): Record<string, string> {
  const path = `modules/x/lib/puppet/parser/functions/${name}.rb`
  return {
    [path]: `${before}\nmodule Puppet::Parser::Functions\nnewfunction(:${name}, :type => :rvalue) do |args|\n${code}\nend\nend\n`,
  }
}

/** A backend: its arguments are `key`, `options` and `context`. */
function backend(code: string): Record<string, string> {
  const method = `dispatch :back do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def back(key, options, context)
    ${code}
  end`
  return { 'hiera.yaml': hiera, ...fourth('back', method) }
}

const hiera = `
version: 5
hierarchy:
  - name: backend
    lookup_key: x::back
    path: x.yaml
    options:
      node: "%{facts.os.family}"
`

const yaml = (value: string) => ({ 'data/x.yaml': `a: '${value}'\nb: 'b of %{facts.os.family}'\n` })

type Files = Readonly<Record<string, string>>

/** Whatever PLUMB_TRACES says. */
const recalling: RubyShare = { ...ownRuby, checkCallsEvery: 0 }
/** Nothing is remembered, of types either. */
const without: RubyShare = {
  ...ownRuby,
  checkCallsEvery: undefined,
  types: { get: () => undefined, set: () => {} },
}

/** What a manifest notices as it is run in each of some worlds, one after the other. */
function inEach(
  worlds: readonly (readonly [Files, facts?: CompileRequest['facts'], time?: number])[],
  code: string,
  share = recalling,
) {
  return worlds.map(([files, facts = { os: { family: 'Debian' } }, time = 0]) => {
    try {
      return noticed(files, code, 'traces', time, { facts, trusted: { certname: 'n1' } }, share)
    } catch (error) {
      return [(error as Error).message]
    }
  })
}

describe('calls of Ruby', () => {
  const twice = fourth('twice', 'def twice(a) = "#{a}#{a}"')
  it.each<[string, Files, string]>([
    ['a function of its arguments', twice, "notice(x::twice('a'))"],
    [
      'one of a helper',
      fourth('help', 'def help(a) = X::Helper.new(a).text', "require_relative '../../../x/helper'"),
      "notice(x::help('a'))",
    ],
    [
      'one that reads variables',
      fourth('reads', "def reads = closure_scope['facts']['os']['family']"),
      'notice(x::reads())',
    ],
    [
      'one that reads a file',
      fourth('file', "def file = YAML.load_file('/code/traces/data/x.yaml')['a']"),
      'notice(x::file())',
    ],
    [
      'one with a library of Ruby that wraps `open`',
      fourth(
        'uri',
        "def uri(a)\n a.start_with?('http:') ? OpenURI.open_uri(a).read : YAML.safe_load(File.read(a))['a']\n rescue OpenURI::HTTPError => e\n e.io.status[0]\n end",
        "require 'open-uri'",
      ),
      "notice(x::uri('/code/traces/data/x.yaml'))",
    ],
    [
      'one that lists a folder',
      fourth('list', "def list = Dir.children('/code/traces/data').sort.join(',')"),
      'notice(x::list())',
    ],
    ['one that says something', fourth('says', 'def says(a)\n Puppet.notice(a)\n a\nend'), "notice(x::says('a'))"],
    [
      'one that asks data',
      {
        ...fourth('asks', "def asks = call_function('lookup', 'a')"),
        'hiera.yaml': 'version: 5\nhierarchy: [{ name: x, path: x.yaml }]',
      },
      'notice(x::asks())',
    ],
    ['one of the old kind', third('third', "args.map { |each| each.to_s * 2 }.join('-')"), "notice(third('a', 1))"],
    ['a backend', backend("YAML.load_file(options['path'])[key] || context.not_found"), "notice(lookup('a'))"],
    ['a backend that has nothing', backend('context.not_found'), "notice(lookup('a', { default_value => 1 }))"],
    [
      'a backend with a cache',
      backend("return context.cached_value(key) if context.cache_has_key(key)\n context.cache(key, options['node'])"),
      "notice(lookup('a'))",
    ],
    [
      'a backend that reads a file once and interpolates',
      backend(
        `path = options['path']
        context.interpolate(context.cached_file_data(path) { |text| YAML.safe_load(text, filename: path) }['b'])`,
      ),
      "notice(lookup('b'))",
    ],
    ['an inline template', {}, "$a = 1 notice(inline_template('<%= @a %>'))"],
    ['one with a large integer', {}, "$a = 1 notice(inline_template('<%= [4294967296, @a].max %>'))"],
    [
      'a template with methods of its own',
      {
        'modules/x/templates/t.erb':
          '<% def self.twice(a) = "#{a}#{@n = @n.to_i + 1}" %><%= twice(@a) %><%= twice(@a) %>',
      },
      "$a = 1 notice(template('x/t.erb'))",
    ],
  ])('are recalled for %s', (_, files, code) => {
    const all = {
      ...yaml('1'),
      'modules/x/lib/x/helper.rb': 'module X; class Helper; def initialize(a) = @a = a; def text = @a.upcase; end; end',
      ...files,
    }
    const worlds = [[all], [{ ...all, 'README.md': 'x' }]] as const
    const wanted = inEach(worlds, code, without)
    const before = countRecalledCalls()
    inEach([worlds[0]], code)
    const made = countRecalledCalls() - before
    expect(inEach(worlds, code)).toEqual(wanted)
    expect(countRecalledCalls() - before - made).toBeGreaterThanOrEqual(2)
  })
})

/** A function whose block uses a variable of the module around it. */
const around: Files = {
  'modules/x/lib/puppet/parser/functions/around.rb':
    'module Puppet::Parser::Functions\n n = []\n newfunction(:around, :type => :rvalue) do |args|\n (n << 1).size\n end\nend\n',
}

/** Files of a module's where its code is, or beside that, which are not its code as a rule. */
function beside(word: string): Files {
  return {
    'modules/x/files/beside.rb': `module X; class Beside; def text(a) = "${word} #{a}"; end; end`,
    'modules/x/lib/x/native.so': word,
    'modules/x/lib/x/folder.rb/file': word,
  }
}

/** A type with a parameter that is named in data. */
const typeOfData: Files = {
  'modules/x/lib/puppet/type/thing.rb': `Puppet::Type.newtype(:thing) do
  newparam(:name)
  newparam("p#{YAML.load_file('/code/traces/data/x.yaml')['a']}")
end`,
}

/** Functions that keep something in mind, or look at what nobody told them; each of its own arguments. */
const hazards: readonly (readonly [string, Files, code: string])[] = [
  ['a global', fourth('g', 'def g(a) = ($count = $count.to_i + a)'), 'notice(x::g(1), x::g(1))'],
  [
    'a class variable',
    third('cv', 'Count.next', 'module Count; @@n = 0; def self.next = @@n += 1; end'),
    'notice(cv(), cv())',
  ],
  [
    'a variable of the class',
    third('ci', 'Told.next', 'module Told; @n = 0; def self.next = @n += 1; end'),
    'notice(ci(), ci())',
  ],
  ['a variable of the function', fourth('iv', 'def iv = (@n = @n.to_i + 1)'), 'notice(x::iv(), x::iv())'],
  ['a variable of the scope', third('sv', '@n = @n.to_i + 1'), 'notice(sv(), sv())'],
  ['a variable around a block', around, 'notice(around(), around())'],
  ['a constant', fourth('c', 'def c(a) = (CACHE << a).size', 'CACHE = []'), 'notice(x::c(1), x::c(1))'],
  [
    'an object in a constant',
    fourth('o', 'def o = COUNTER.next', 'class Counter; def next = @n = @n.to_i + 1; end; COUNTER = Counter.new'),
    'notice(x::o(), x::o())',
  ],
  [
    'an attribute of a class',
    fourth('at', 'def at(a)\n Kept.value ||= a\n end', 'class Kept; class << self; attr_accessor :value; end; end'),
    'notice(x::at($facts["os"]["family"]))',
  ],
  [
    'a file kept in a constant',
    fourth('kf', "def kf = (KEPT['x'] ||= YAML.load_file('/code/traces/data/x.yaml')['a'])", 'KEPT = {}'),
    'notice(x::kf(), x::kf())',
  ],
  [
    'a file read when code is loaded',
    fourth('rl', 'def rl = READ', "READ = YAML.load_file('/code/traces/data/x.yaml')['a']"),
    'notice(x::rl())',
  ],
  [
    'code beside `lib` that a call loads',
    fourth('cb', "def cb(a)\n require '/code/traces/modules/x/files/beside'\n X::Beside.new.text(a)\nend"),
    'notice(x::cb(1)) notice(x::cb(2))',
  ],
  [
    'code beside `lib` that a constant loads',
    fourth(
      'al',
      'def al(a) = X::Beside.new.text(a)',
      "module X; autoload :Beside, '/code/traces/modules/x/files/beside.rb'; end",
    ),
    'notice(x::al(1)) notice(x::al(2))',
  ],
  [
    'a file that Ruby could take for code',
    fourth('so', "def so = File.read('/code/traces/modules/x/lib/x/native.so')"),
    'notice(x::so())',
  ],
  [
    'a folder that has the name of code',
    fourth('fo', "def fo = File.directory?('/code/traces/modules/x/lib/x/folder.rb')"),
    'notice(x::fo())',
  ],
  ['a type that reads data', typeOfData, "thing { 'a': p1 => 1 } notice(1)"],
  ['the clock', fourth('t', 'def t = Time.now.to_i'), 'notice(x::t())'],
  [
    'a default that keeps',
    fourth('dp', 'def dp(a) = TABLE[a]', 'TABLE = Hash.new { |hash, key| hash[key] = hash.size }'),
    'notice(x::dp("a"), x::dp("b"), x::dp("a"), x::dp($facts["os"]["family"]))',
  ],
  [
    'code that is run by a name',
    fourth('sn', 'def sn(a) = send(a)\ndef one = $one = $one.to_i + 1'),
    "notice(x::sn('one'), x::sn('one'))",
  ],
  [
    'a method of another file',
    {
      ...fourth('m1', "def m1 = 'a'.shout"),
      ...fourth('m2', 'def m2 = 1', "class String; def shout = upcase + '!'; end"),
    },
    'if $facts["os"]["family"] == "Debian" { notice(x::m2()) } notice(x::m1())',
  ],
  [
    'a changed core',
    {
      ...fourth('cc', 'def cc = [3, 1].sort.inspect'),
      ...fourth('ch', 'def ch = 1', 'class Array; def sort = reverse; end'),
    },
    'notice(x::cc()) if $facts["os"]["family"] == "RedHat" { notice(x::ch()) } notice(x::cc())',
  ],
  ['a log', fourth('lg', 'def lg(a)\n Puppet.warning("warned of #{a}")\n a\nend'), 'notice(x::lg(1)) notice(x::lg(1))'],
  ['an error', fourth('er', "def er(a) = raise('no')"), 'notice(x::er(1))'],
  ['classes', fourth('cl', "def cl = call_function('include', 'x')"), "x::cl() notice(defined(Class['x']))"],
  ['a changed argument', fourth('ca', 'def ca(a) = (a << 1).size'), '$a = [0] notice(x::ca($a), x::ca($a), $a)'],
  ['the names in a folder', fourth('ls', "def ls = Dir.glob('/code/traces/data/*').sort.join(' ')"), 'notice(x::ls())'],
  ['a file that is not there', fourth('ex', "def ex = File.exist?('/code/traces/data/y.yaml')"), 'notice(x::ex())'],
  [
    'a constant that nobody has',
    fourth('nc', "def nc\n Nobody::HAS\nrescue NameError\n 'none'\nend"),
    'notice(x::nc())',
  ],
  [
    'what is defined',
    { ...fourth('df', 'def df = defined?(Later) ? 1 : 0'), ...fourth('la', 'def la = 1', 'module Later; end') },
    'notice(x::df()) notice(x::la()) notice(x::df())',
  ],
  [
    'a cached value that is changed',
    backend("list = context.cached_value('list') || context.cache('list', [])\n list << key\n list.size"),
    "notice(lookup('a'), lookup('b'), lookup('c'))",
  ],
  [
    'a cached value',
    backend("context.cache('n', (context.cached_value('n') || 0) + 1)"),
    "notice(lookup('a'), lookup('b'), lookup('c'))",
  ],
  [
    'cached data that is changed',
    backend(
      "path = options['path']\n data = context.cached_file_data(path) { |text| YAML.safe_load(text, filename: path) }\n data[key] = data.size\n data.size",
    ),
    "notice(lookup('a'), lookup('z'), lookup('y'))",
  ],
  [
    'a block that knows more',
    backend("context.cached_file_data(options['path']) { |text| \"#{text}#{options['node']}\" }"),
    "notice(lookup('a'))",
  ],
  [
    'all that is cached',
    backend('context.cache(key, 1)\n context.cached_entries.to_a.size'),
    "notice(lookup('a'), lookup('b'))",
  ],
  [
    'an object that is cached',
    backend(
      "context.cache('o', Object.new) unless context.cache_has_key('o')\n context.cached_value('o').class.name + key",
    ),
    "notice(lookup('a'), lookup('b'))",
  ],
  ['the settings', fourth('se', "def se = (Puppet[:vardir] = 'x')\n"), 'notice(x::se())'],
  [
    'the text of a file',
    fourth('te', "def te = ($text ||= File.read('/code/traces/data/x.yaml'))"),
    'notice(x::te(), x::te())',
  ],
  [
    'the text of a file, in a helper',
    {
      ...fourth('he', 'def he = X::Kept.text', "require_relative '../../../x/kept'"),
      'modules/x/lib/x/kept.rb':
        "module X; module Kept; def self.text = @text ||= File.read('/code/traces/data/x.yaml'); end; end",
    },
    'notice(x::he())',
  ],
  [
    'a constant of a file that a call loads',
    {
      ...fourth('lo', "def lo = require('x/late').class.name"),
      ...fourth('re', 'def re = defined?(X::LATE) ? X::LATE : nil'),
      'modules/x/lib/x/late.rb': "module X; LATE = File.read('/code/traces/data/x.yaml'); end",
    },
    'x::lo() notice(x::re())',
  ],
  ['the time', fourth('ti', 'def ti = [Time.now.to_i, ($time ||= Time.now.to_i)]'), 'notice(x::ti())'],
  ['nothing of the time', fourth('no', 'def no = Time.now.to_i'), 'notice(x::no())'],
  [
    'file data made of another file too',
    {
      ...backend(
        "context.cached_file_data(options['path']) { |text| [text, File.read('/code/traces/data/x.yaml'), File.exist?('/code/traces/data/y.yaml')] }.inspect",
      ),
      'hiera.yaml': hiera.replace('x.yaml', 'z.yaml'),
      'data/z.yaml': 'z: 1',
    },
    "notice(lookup('a'))",
  ],
  [
    'methods of the template itself',
    {
      'modules/x/templates/t.erb':
        '<% def self.twice(a) = "#{a}#{@n = @n.to_i + 1}" %><%= twice(@a) %><%= twice(@a) %>',
    },
    "$a = lookup('a', { default_value => 1 }) notice(template('x/t.erb'), template('x/t.erb'))",
  ],
  [
    'one that runs another',
    { ...third('outer', 'function_inner([args[0]])'), ...third('inner', '@n = @n.to_i + 1') },
    'notice(outer(1), outer(1))',
  ],
]

describe('calls that keep something in mind', () => {
  const debian = { os: { family: 'Debian' } }
  const redhat = { os: { family: 'RedHat' } }

  it.each(hazards)('give what they would give anyway: %s', (_, files, code) => {
    const all = { ...yaml('1'), ...beside('first'), ...files, 'modules/x/manifests/init.pp': 'class x {}' }
    const changed: Record<string, string> = { ...all, ...beside('second') }
    delete changed['modules/x/lib/x/folder.rb/file']
    const worlds = [
      [all, debian],
      [all, redhat],
      [all, debian],
      [{ ...all, ...yaml('2') }, debian, 7],
      [{ ...all, 'data/y.yaml': 'c: 1' }, debian],
      [all, redhat],
      [changed, debian],
      [all, debian],
    ] as const
    // Each begins with a machine of its own, for what that keeps in mind.
    const apart = worlds.map(
      ([files, ...rest]) =>
        [{ ...files, 'modules/apart/lib/apart.rb': '# another state of the code' }, ...rest] as const,
    )
    expect(inEach(worlds, code)).toEqual(inEach(apart, code, without))
  })
})

describe('a template', () => {
  const files = {
    'modules/web/templates/own.erb': '<% scope.setvar("own", @value) -%>',
    'modules/web/templates/reads.erb': '<%= scope.lookupvar("own") %>;<%= has_variable?("own") %>',
    'modules/web/templates/both.erb':
      '<% scope.setvar("own", @value) -%><%= scope.function_template(["web/reads.erb"]) %>',
    'modules/web/templates/nested.erb': 'nested <%= scope.function_template(["web/inner.erb"]) %>',
    'modules/web/templates/inner.erb': '<%= @value %>',
    'modules/web/templates/part.erb': "<%= @value['a']['b'] %>,<%= @value['none'].inspect %>,<%= @other.inspect %>",
    'modules/web/templates/changes.erb': '<% @list << @value -%><%= @list.join("-") %>',
    'modules/web/templates/calls.erb': '<%= scope.call_function("web::now", []) %>',
    'modules/web/functions/now.pp': 'function web::now() { $web::now }',
    'modules/web/manifests/init.pp': 'class web($now) {}',
  }

  it.each([
    ['web/inner.erb', ['1', '2', "'1'", 'undef'], ['1', '2', '1', '']],
    ['web/nested.erb', ['1', '2', '1'], ['nested 1', 'nested 2', 'nested 1']],
    [
      'web/part.erb',
      ["{'a'=>{'b'=>1},'c'=>1}", "{'a'=>{'b'=>1},'c'=>2}", "{'a'=>{'b'=>[2]}}", "{'a'=>{'b'=>1},'none'=>0}"],
      ['1,nil,nil', '1,nil,nil', '[2],nil,nil', '1,0,nil'],
    ],
  ])('%s says what it is told, each time', (name, values, texts) => {
    const render = (value: string) => noticed(files, `$value = ${value} notice(template('${name}'))`)
    expect([...values, ...values].flatMap(render)).toEqual([...texts, ...texts])
  })

  it('sees what another one set in the scope', () => {
    const code = (value: number) => `$value = ${value} notice(template('web/own.erb', 'web/reads.erb'))`
    const unset = "notice(template('web/reads.erb'))"
    expect([1, 2, 1].flatMap((value) => noticed(files, code(value)))).toEqual(['1;true', '2;true', '1;true'])
    expect(() => noticed(files, unset)).toThrow("Undefined variable 'own'")
    expect(noticed(files, code(3))).toEqual(['3;true'])
  })

  it('sets for others what it did not set because it is known', () => {
    const code = (value: number) => `$value = ${value}
      $first = template('web/both.erb')
      $second = template('web/reads.erb')
      notice("\${first} \${second}")`
    expect([1, 2, 1, 2].flatMap((value) => noticed(files, code(value)))).toEqual([
      '1;true 1;true',
      '2;true 2;true',
      '1;true 1;true',
      '2;true 2;true',
    ])
  })

  describe('that renders another one with a hash of its own', () => {
    const parts = {
      'modules/web/templates/list.erb': `<% scope.setvar('_scope', {}) -%>
<% @items.each do |item| -%>
<% scope.lookupvar('_scope')[:item] = item -%>
[<%= scope.function_template(['web/part.erb']) %>]
<% end -%>`,
      'modules/web/templates/part.erb': `<%= scope.lookupvar('_scope')[:item] %>@<%= @prefix %>`,
    }
    const render = (more: Files = {}, { items = '[1, 2]', prefix = 'x' } = {}) => {
      const before = countRecalledCalls()
      const code = `$items = ${items} $prefix = '${prefix}' notice(template('web/list.erb'))`
      const [text] = noticed({ ...parts, ...more }, code, 'joined', 0, {}, recalling)
      return [text?.replaceAll('\n', ''), countRecalledCalls() - before]
    }

    it('is recalled as a whole, and depends on all that both read', () => {
      const part = { 'modules/web/templates/part.erb': `<%= scope.lookupvar('_scope')[:item] %>!` }
      for (const recalls of [0, 1]) {
        expect(render()).toEqual(['[1@x][2@x]', recalls])
        expect(render({}, { prefix: 'y' })).toEqual(['[1@y][2@y]', recalls])
        expect(render({}, { items: '[3]' })).toEqual(['[3@x]', recalls])
        expect(render(part)).toEqual(['[1!][2!]', recalls])
      }
    })

    it('is not recalled if the other one keeps state', () => {
      const part = {
        'modules/web/templates/part.erb': `<%= $count = $count.to_i + 1; scope.lookupvar('_scope')[:item] %>#`,
      }
      for (let time = 0; time < 2; time++) expect(render(part)).toEqual(['[1#][2#]', 0])
    })

    it('is rendered again where Ruby needs the hash later', () => {
      const later = { 'modules/web/templates/later.erb': `<%= scope.lookupvar('_scope').inspect %>` }
      const code = `$items = [1] $prefix = 'x' notice(template('web/list.erb')) notice(template('web/later.erb'))`
      for (let time = 0; time < 2; time++) {
        const texts = noticed({ ...parts, ...later }, code, 'joined', 0, {}, recalling)
        expect(texts).toEqual(['[1@x]\n', '{:item=>1}'])
      }
    })
  })

  it('with methods is recalled, and its methods are there for the templates that only call them', () => {
    const templates = {
      'modules/web/templates/one.erb': "<% def shown(v) = v ? 'one' : 'none' -%><%= shown(@value) %>",
      'modules/web/templates/two.erb': "<% def shown(v) = v ? 'two' : 'none' -%><%= shown(@value) %>",
      'modules/web/templates/calls.erb': '<%= shown(true) %>',
    }
    const render = (...names: string[]) => {
      const before = countRecalledCalls()
      const code = `$value = true ${names.map((name) => `notice(template('web/${name}.erb'))`).join('\n')}`
      const texts = noticed(templates, code, 'methods', 0, {}, recalling)
      return [...texts, countRecalledCalls() - before]
    }
    expect(render('one', 'two')).toEqual(['one', 'two', 0])
    expect(render('one', 'two')).toEqual(['one', 'two', 2])
    expect(render('one', 'two', 'calls')).toEqual(['one', 'two', 'two', 2])
    expect(render('two', 'one', 'calls')).toEqual(['two', 'one', 'one', 2])
    expect(render('two', 'calls')).toEqual(['two', 'two', 1])
  })

  it('that looks up names in the hash of all variables is recalled, whatever other variables are', () => {
    const names = "%w[a b c].map { |name| scope.to_hash[name].inspect if scope.to_hash.has_key?(name) }.join(',')"
    const template = {
      'modules/web/templates/names.erb': `<% scope['x'] = 'own' -%><%= ${names} %>;<%= scope.to_hash.fetch('d', 'none') %>;<%=
scope.to_hash.dig('e', 'f') %>;<%= scope.to_hash['x'] %>;<%= scope.to_hash[:a].inspect %>`,
      'modules/web/templates/all.erb': '<%= scope.to_hash.keys.include?("a") %>;<%= scope.to_hash["a"] %>',
      'modules/web/templates/computed.erb': '<%= eval("scope.to_" + "hash").keys.include?("a") %>',
    }
    const render = (name: string, given: string, other: number) => {
      const before = countRecalledCalls()
      const code = `$other = ${other} ${given} notice(template('web/${name}.erb'))`
      const [text] = noticed(template, code, 'names', 0, {}, recalling)
      return [text, countRecalledCalls() - before]
    }
    const variables = "$a = 'A' $b = undef $e = { 'f' => 1 }"
    const expected = '"A",,;none;1;own;nil'
    expect(render('names', variables, 1)).toEqual([expected, 0])
    expect(render('names', variables, 2)).toEqual([expected, 1])
    expect(render('names', `${variables} $d = 4`, 2)).toEqual(['"A",,;4;1;own;nil', 0])
    for (const other of [1, 2]) expect(render('all', "$a = 'A'", other)).toEqual(['true;A', 0])
    // The code does not contain the name of the method.
    for (const other of [1, 2]) expect(render('computed', "$a = 'A'", other)).toEqual(['true', 0])
  })

  it('is another one when a template that it calls is', () => {
    const inner = 'modules/web/templates/inner.erb'
    const render = (text: string) =>
      noticed({ ...files, [inner]: text }, "$value = 1 notice(template('web/nested.erb'))")
    expect(['a', 'b', 'a'].flatMap(render)).toEqual(['nested a', 'nested b', 'nested a'])
  })

  it('changes a list in place each time', () => {
    const code = "$list = [0] $value = 1 notice(template('web/changes.erb')) notice($list.join(' '))"
    expect([...noticed(files, code), ...noticed(files, code)]).toEqual(['0-1', '0 1', '0-1', '0 1'])
  })

  it('calls functions each time', () => {
    const code = (now: number) => `class { 'web': now => ${now} } notice(template('web/calls.erb'))`
    expect([1, 2, 1].flatMap((now) => noticed(files, code(now)))).toEqual(['1', '2', '1'])
  })
})
