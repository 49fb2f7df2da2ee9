import { describe, expect, it } from 'vitest'
import { noticed, refusal } from '../compiling.ts'

const modern = `Puppet::Functions.create_function(:'x::four') do
  local_types do
    type 'Small = Integer[0, 5]'
  end
  dispatch :small do
    param 'Small', :number
    optional_param 'String', :word
    repeated_param 'Float', :rest
  end
  dispatch :each_of do
    param 'Array', :list
    block_param 'Callable[1, 1]', :block
    return_type 'Array[String]'
  end
  dispatch :wrong_result do
    param 'Boolean', :flag
    return_type 'Integer'
  end
  argument_mismatch :no_hashes do
    param 'Hash', :hash
  end

  def small(number, word = 'none', *rest)
    "#{number.inspect} #{word.inspect} #{rest.inspect} #{call_function('upcase', 'z')} #{closure_scope['facts'].keys}"
  end

  def each_of(list) = list.map { |each| yield(each).to_s }
  def wrong_result(flag) = flag.to_s
  def no_hashes(hash) = "takes no hash, got #{hash}"
end
`
const files = {
  'modules/x/lib/puppet/functions/x/four.rb': modern,
  'modules/x/lib/puppet/functions/x/scoped.rb': `Puppet::Functions.create_function(:'x::scoped', Puppet::Functions::InternalFunction) do
  dispatch :scoped do
    scope_param
    param 'String', :name
    optional_block_param
  end
  def scoped(scope, name, &block) = [scope[name], block ? block.arity : nil]
end
`,
  'modules/x/lib/puppet/functions/x/kept.rb': `Puppet::Functions.create_function(:'x::kept', Puppet::Functions::InternalFunction) do
  dispatch :kept do
    cache_param
    param 'Any', :value
  end
  def kept(cache, value) = cache.retrieve(self)[:first] ||= value
end
`,
  'modules/x/lib/puppet/functions/x/shown.rb': `Puppet::Functions.create_function(:'x::shown') do
  def shown(values) = values.map { |value| "#{value.class.name.split('::').last} #{value}" }
end
`,
  'modules/x/lib/puppet/functions/x/same.rb': `Puppet::Functions.create_function(:'x::same') do
  def same(value, other = 'other') = [value, other]
end
`,
  'modules/x/lib/puppet/functions/x/member.rb': `Puppet::Functions.create_function(:'x::member') do
  def member(object, name) = object[name]
end
`,
  'modules/x/lib/puppet/functions/x/ruby.rb': `Puppet::Functions.create_function(:'x::ruby') do
  def ruby(code) = eval(code)
end
`,
  'modules/x/lib/puppet/functions/x/misnamed.rb': `Puppet::Functions.create_function(:'x::other') do
  def other = 1
end
`,
  'modules/x/lib/puppet/functions/x/unfinished.rb': "Puppet::Functions.create_function(:'x::unfinished') do\n",
  'modules/x/lib/puppet/parser/functions/old.rb': `module Puppet::Parser::Functions
  newfunction(:old, type: :rvalue, arity: -2, doc: 'old') do |args|
    raise Puppet::ParseError, "old(): #{args[1]}" if args[0] == 'fail'
    [args.inspect, lookupvar('facts').size, function_older([1]), Puppet::Parser::Functions.function('none')].join(' ')
  end
end
`,
  'modules/x/lib/puppet/parser/functions/older.rb': `require File.expand_path('../../../helper/thing', __dir__)
module Puppet::Parser::Functions
  newfunction(:older, type: :rvalue) { |args| Helper::Thing.new.call(args) }
end
`,
  'modules/x/lib/puppet/parser/functions/deed.rb': `Puppet::Parser::Functions.newfunction(:deed, arity: 1) do |args|
  Puppet.notice("done #{args[0]}")
  'a statement gives nothing'
end
`,
  'modules/x/lib/helper/thing.rb': 'module Helper; class Thing; def call(args) = "older #{args}"; end; end\n',
  'modules/x/lib/puppet/functions/x/made.rb': `Puppet::Functions.create_function(:'x::made') do
  dispatch(:go) { param 'Any', :x }
  def initialize(closure_scope, loader)
    super
    @made = 'made'
  end
  def go(x) = "#{@made} #{x} #{call_function('upcase', 'a')}"
end
`,
  'modules/x/lib/puppet/functions/x/counted.rb': `Puppet::Functions.create_function(:'x::counted', Puppet::Functions::InternalFunction) do
  dispatch(:go) { scope_param }
  def initialize(*arguments)
    super(*arguments)
    @count = arguments.size
  end
  def go(scope) = "#{@count} #{closure_scope.nil?}"
end
`,
  'modules/x/lib/puppet/parser/functions/two.rb': `module Puppet::Parser::Functions
  newfunction(:'x::inner', type: :rvalue, arity: 1) { |args| "<#{args[0]}>" }
  newfunction(:third) { |args| call_function('notice', ["third #{args[0]}"]) }
  newfunction(:two, type: :rvalue) { |args| call_function('x::inner', [args[0]]) + send('function_x::inner', ['s']) }
end
`,
  'modules/x/types/port.pp': 'type X::Port = Integer[1, 65535]',
  'modules/x/lib/puppet/functions/x/typed.rb': `Puppet::Functions.create_function(:'x::typed') do
  dispatch :typed do
    param 'X::Port', :port
  end
  def typed(port) = port
end
`,
}

describe('functions of modules in Ruby', () => {
  it.each([
    ['x::four(3)', `3 "none" [] Z ["os"]`],
    ["x::four(3, 'w', 1.0, 2.5)", `3 "w" [1.0, 2.5] Z ["os"]`],
    ['x::four([1, 2]) |$x| { $x * 2 }', '[2, 4]'],
    ['x::four([1, 2]) |$x| { next("n${x}") }', '[n1, n2]'],
    ["$here = 'h' notice(x::scoped('here'))", '[h, ]'],
    ["$here = 'h' notice(x::scoped('here') |$a, $b = 1| { })", '[h, -2]'],
    ["notice(x::kept('one'), x::kept('two'))", 'one one'],
    [
      "x::shown([Timestamp('2001-02-03'), Timespan('1-02:03:04.5'), SemVer('1.2.3'), Sensitive(1), default])",
      '[Timestamp 2001-02-03T00:00:00.000000000 UTC, Timespan 1-02:03:04.5, Version 1.2.3, Sensitive Sensitive [value redacted], Symbol default]',
    ],
    [
      "old(Timestamp('2001-02-03'), Timespan('1-00:00:00'))",
      '["2001-02-03T00:00:00.000000000 UTC", "1-00:00:00.0"] 1 older [1] false',
    ],
    ['x::same(1)', '[1, other]'],
    ['x::made(1)', 'made 1 A'],
    ['x::counted()', '2 false'],
    ["two('a')", '<a><s>'],
    ["$a = two('a') notice(x::inner('b'))", '<b>'],
    ["$a = two('a') third('b')", 'third b'],
    // `call_function` spreads its arguments as `*` does.
    ['x::ruby(\'closure_scope.call_function("x::same", { 1 => 2, 3 => 4 })\')', '[[1, 2], [3, 4]]'],
    ['x::ruby(\'closure_scope.call_function("x::same", [{ 1 => 2 }])\')', '[{1 => 2}, other]'],
    ['x::ruby(\'closure_scope.call_function("x::same", "a")\')', '[a, other]'],
    ['x::same(undef, undef)', '[, ]'],
    ['x::typed(80)', '80'],
    ["old('a', undef, [undef, /x/], 1.5, default)", '["a", "", [nil, "/x/"], 1.5, :default] 1 older [1] false'],
    ["old(File['/a'])", '[File[/a]] 1 older [1] false'],
    ["deed('it')", 'done it'],
    ["x::ruby('10**20')", '100000000000000000000'],
    ["x::ruby('{ 1 => :undef, %q(9) => [nil], %q(10) => 1.0 }')", '{1 => , 9 => [], 10 => 1.0}'],
    ["x::ruby('Puppet::Resource.new(%q(file), %q(/a b[c]))')", "File['/a b[c]']"],
    ["x::ruby('Puppet::Pops::Types::PSensitiveType::Sensitive.new(1)')", 'Sensitive [value redacted]'],
    ["x::ruby('call_function(%q(with), 1) { |x| x + 1 }')", '2'],
    ["x::ruby('call_function(%q(x::same), 1, 2)')", '[1, 2]'],
    ["x::ruby('Puppet::Pops::Types::TypeParser.singleton.parse(%q(X::Port)).instance?(0)')", 'false'],
    ["x::ruby('Puppet::Util::Package.versioncmp(%q(1.10), %q(1.9))')", '1'],
    ["x::ruby('Time.now.to_i')", '0'],
    // What is none of the language: a class stands for a type, an object can be handed on.
    [
      "$x = x::ruby('Comparable') notice(type($x), $x, $x == x::ruby('Comparable'))",
      "Type[Runtime[ruby, 'Comparable']] Comparable true",
    ],
    ["notice(type(x::ruby('$o = Dir')))", "Type[Runtime[ruby, 'Dir']]"],
    ["$x = x::ruby('Struct.new(:a).new(7)') notice(x::member($x, 'a'), $x =~ Runtime, $x =~ Data)", '7 true false'],
    ["notice(x::ruby('[IO]'), type(x::ruby('Mutex.new')))", "[IO] Runtime[ruby, 'Thread::Mutex']"],
  ])('%s', (code, expected) => {
    const statement = /notice|deed|third/.test(code) ? code : `notice(${code.replace(/ (\|.*)$/, ' $1')})`
    expect(noticed(files, statement)).toEqual([expected])
  })

  it.each([
    [
      "x::four('a')",
      /^The function 'x::four' was called.*\n {2}\(Small = Integer\[0, 5\] number, String word\?, Float rest\*\)\n/,
    ],
    ['x::four({a => 1})', `'x::four' takes no hash, got {"a"=>1}`],
    [
      'x::four(true)',
      "value returned from function 'wrong_result' has wrong type, expects an Integer value, got String",
    ],
    ['x::same()', "'x::same' expects between 1 and 2 arguments, got none"],
    ['x::typed(0)', "'x::typed' parameter 'port' expects a X::Port = Integer[1, 65535] value, got Integer[0, 0]"],
    ['old()', 'old(): Wrong number of arguments given (0 for minimum 1)'],
    ["old('fail', 'why')", 'old(): why'],
    ['x::nothing()', "Unknown function: 'x::nothing'."],
    ["x::ruby('call_function(%q(fail), %q(m))')", 'm'],
    ["x::ruby('raise IOError, %q(gone)')", 'gone'],
  ])('%s is refused', (code, expected) => {
    const prefix = /nothing/.test(code)
      ? 'Evaluation Error: '
      : 'Evaluation Error: Error while evaluating a Function Call, '
    const message = refusal(files, code)
    expect(message.startsWith(prefix)).toBe(true)
    const detail = message.slice(prefix.length).replace(/ \((file: .*, )?line: .*$/s, '')
    if (typeof expected === 'string') expect(detail).toBe(expected)
    else expect(detail).toMatch(expected)
  })

  it.each([
    ['x::misnamed()', /misnamed\.rb does not seem to be a Puppet function: it does not define 'x::misnamed'/],
    ['x::unfinished()', /unfinished\.rb:1: syntax error/],
  ])('%s is no function', (code, expected) => {
    expect(refusal(files, code)).toMatch(expected)
  })

  it('leaves an iteration by break, through Ruby', () => {
    const code =
      '$r = [1, 2].each |$x| { x::four([1]) |$y| { break() } } notice($r) function f() { x::four([1]) |$y| { return(5) } } notice(f())'
    expect(noticed(files, code)).toEqual(['[1, 2]', '5'])
  })

  it('is another one in another environment, and after a change', () => {
    const version = (text: string) => ({
      'modules/y/lib/puppet/functions/y/v.rb': `Puppet::Functions.create_function(:'y::v') { def v = "${text} #{$seen ||= '${text}'}" }`,
    })
    expect(noticed(version('one'), 'notice(y::v())')).toEqual(['one one'])
    expect(noticed(version('two'), 'notice(y::v())', 'testing')).toEqual(['two two'])
    expect(noticed(version('three'), 'notice(y::v())')).toEqual(['three three'])
    expect(noticed(version('one'), 'notice(y::v())')).toEqual(['one one'])
  })

  it('keeps what it did for another commit only where it cannot see a difference', () => {
    const ruby = `Puppet::Functions.create_function(:'y::count') do
      def count(name)
        path = File.join(__dir__, '../../../../data', name)
        "#{$count = ($count || 0) + 1} #{File.exist?(path) ? File.read(path) : 'none'}"
      end
    end`
    const count = (data: Readonly<Record<string, string>>, note: string) =>
      noticed(
        { 'modules/y/lib/puppet/functions/y/count.rb': ruby, 'modules/y/manifests/init.pp': `# ${note}`, ...data },
        "notice(y::count('a.txt'))",
      )
    const data = { 'modules/y/data/a.txt': 'one' }
    expect(count(data, 'first')).toEqual(['1 one'])
    expect(count(data, 'second')).toEqual(['2 one'])
    expect(count({ ...data, 'modules/y/data/b.txt': 'unseen' }, 'second')).toEqual(['3 one'])
    expect(count({ 'modules/y/data/a.txt': 'two' }, 'second')).toEqual(['1 two'])
    expect(count({}, 'second')).toEqual(['1 none'])
    expect(count(data, 'second')).toEqual(['1 one'])
  })
})
