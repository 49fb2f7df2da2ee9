import { describe, expect, it } from 'vitest'
import { mayLookAround, ownScope, Rendering, Trail } from '../../src/ruby/rendering.ts'
import { noticed } from './compiling.ts'

describe('a rendering', () => {
  const trail = new Trail(7)
  trail.add({ name: 'variables', args: [7, ['port']] }, JSON.stringify(['h', 'port', 80]))
  trail.add({ name: 'find_file', args: ['templates', 'web/x.erb'] }, '"/x.erb"')
  new Rendering('web.erb').remember(trail, 'port 80')

  it('is repeated for the same answers, in another scope too', () => {
    const asked: unknown[] = []
    const rendered = new Rendering('web.erb').repeat(3, (question, scope) => {
      asked.push({ ...question, scope })
      return question.name === 'variables' ? '["h","port",80]' : '"/x.erb"'
    })
    expect(rendered?.text).toBe('port 80')
    expect(asked).toEqual([
      { name: 'variables', args: [ownScope, ['port']], scope: 3 },
      { name: 'find_file', args: ['templates', 'web/x.erb'], scope: 3 },
    ])
  })

  it.each([
    ['another answer', 'web.erb', '["h","port",81]'],
    ['an answer that cannot be compared', 'web.erb', undefined],
    ['another template', 'other.erb', '["h","port",80]'],
  ] as const)('is not repeated for %s', (_, name, answer) => {
    expect(new Rendering(name).repeat(3, () => answer)).toBeUndefined()
  })

  it.each([
    ['a log', 'log', ['notice', 'x']],
    ['a function that may do anything', 'call', [7, 'include', ['ntp']]],
    ['another scope', 'variable', [0, 'x']],
    ['all variables', 'variables', [7, null]],
  ] as const)('cannot be repeated when it asked for %s', (_, name, args) => {
    const asked = new Trail(7)
    asked.add({ name, args: args as never }, 'null')
    expect(asked.isRepeatable).toBe(false)
  })
})

describe('a template', () => {
  it.each([
    "<%= @a['b'].map { |x| x.to_s }.sort.join(',') %> rand and Time.now outside of code",
    "<% if @x.is_a?(Hash) and Array(@y).any? -%>\n<%= scope['a::b'] %>\n<% end -%>",
    '<%= scope.function_versioncmp([@v, "2.4"]) %> <%= JSON.generate(@h) %>',
    '<%= @x.class == String %>',
    '<%% rand %>',
    '<%= @ssl_random_seed %> <%= "hash of #{@title}" %> <%= "it\'s" + "isn\'t" %>',
    '<%# rand, Time.now %><%= @x %>',
    "<%= @x['hash'] %> <% if @y == 'Time.now' then %>Time.now<% end %>",
  ])('looks at nothing but what it is told: %s', (text) => {
    expect(mayLookAround(text)).toBe(false)
  })

  it.each([
    '<%= rand(10) %>',
    '<%= @list.shuffle.first %>',
    '<%= Time.now %>',
    '<%= File.read("/x") %>',
    '<%= `hostname` %>',
    '<%= $count %>',
    '<% @@count = 1 %>',
    '<%= ENV["HOME"] %>',
    '<%= instance_variable_get("@x") %>',
    '<% def helper; end %>',
    '<%\nSome::Module.value\n%>',
    '<%= scope.to_hash %>',
    '<%= "%%>" + rand.to_s %>',
    '<%= "#{rand}" %>',
    '<%= "it\'s" + rand.to_s + "isn\'t" %>',
  ])('may look around: %s', (text) => {
    expect(mayLookAround(text)).toBe(true)
  })

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
