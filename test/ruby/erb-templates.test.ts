import { describe, expect, it } from 'vitest'
import { noticed, refusal } from './compiling.ts'

const files = {
  'modules/web/manifests/init.pp': `class web($port = 80) {
    $name_ = 'n'
    $list = [1, 'two', 3.0]
    $hash = { 'a' => 1, 'b' => [undef, true] }
    $text = template('web/all.erb')
    notice($text)
  }`,
  'modules/web/templates/all.erb': `port <%= @port %>, unset <%= @nothing.inspect %>
<%- @list.each do |each| -%>
* <%= each %>
<%- end -%>
<%= @hash %> <%= scope['web::port'] %> <%= scope.lookupvar('port') %> <%= has_variable?('list') %>
<%= scope.function_template(['web/inner.erb']) -%>
<%= scope.call_function('map', [[1, 2]]) { |x| x + 1 } %> <%= scope.to_hash['port'] %> <%= @facts['os']['family'] %>
`,
  'modules/web/templates/inner.erb': 'inner <%= @port -%>\n',
  'modules/web/templates/fails.erb': 'one\n<%= nil.upcase %>\n',
  'modules/web/templates/unfinished.erb': 'one\n<%= [1, %>\n',
}

describe('ERB templates', () => {
  it('see variables, the scope, functions and other templates', () => {
    expect(noticed(files, 'include web')).toEqual([
      `port 80, unset nil
* 1
* two
* 3.0
{"a"=>1, "b"=>[nil, true]} 80 80 true
inner 80[2, 3] 80 Debian
`,
    ])
  })

  it.each([
    ['inline_template(\'<%= 1 -%>\', "\n<%# none %>b")', '1\nb'],
    ["$a = 'x' notice(inline_template('<%= @a -%>'))", 'x'],
    ["notice(inline_template('<% [1,2].each do |x| -%>i<%= x %> <% end -%>'))", 'i1 i2 '],
    ["notice(inline_template('<%%= 1 %%>'))", '<%= 1 %%>'],
    ["$s = Sensitive('x') notice(inline_template('<%= @s %> <%= @s.unwrap %>'))", 'Sensitive [value redacted] x'],
    ["$r = File['/a'] notice(inline_template('<%= @r %> <%= @r.title %>'))", "File['/a'] /a"],
    ["$t = Integer[1, 2] notice(inline_template('<%= @t %> <%= @t === 3 %>'))", 'Integer[1, 2] false'],
    ["$d = default notice(inline_template('<%= @d.inspect %>'))", ':default'],
    [
      "notice(inline_template('<%= [1].each.next %><%= Enumerator.new { |y| y << scope[%q(facts)] }.next.size %>'))",
      '11',
    ],
    ["notice(inline_template('<%= catch(:undefined_variable) { scope.lookupvar(%q(no)) }.inspect %>'))", 'nil'],
    ["notice(inline_template('<%= scope.function_sprintf([%q(%03d), 7]) %>'))", '007'],
    // apache/vhost/_directories.erb
    [
      "notice(inline_template('<% scope.setvar(%q(box), {}); scope.lookupvar(%q(box))[:item] = 1 -%><%= scope[%q(box)] %>'))",
      '{:item=>1}',
    ],
  ])('%s', (code, expected) => {
    expect(noticed({}, code.startsWith('inline') ? `notice(${code})` : code)).toEqual([expected])
  })

  it.each([
    [
      "notice(template('web/fails.erb'))",
      `Failed to parse template web/fails.erb:
  Filepath: /code/production/modules/web/templates/fails.erb
  Line: 2
  Detail: undefined method \`upcase' for nil:NilClass
 (line: 1, column: 8) on node n1`,
    ],
    ["notice(template('web/none.erb'))", "Could not find template 'web/none.erb' (line: 1, column: 8) on node n1"],
    [
      "notice(inline_template('<%= scope[%q(no)] %>'))",
      "Failed to parse inline template: Undefined variable 'no';  (line: 1, column: 8) on node n1",
    ],
    ['template()', 'template(): Wrong number of arguments given (0 for minimum 1) (line: 1, column: 1) on node n1'],
  ])('%s is refused', (code, expected) => {
    expect(refusal(files, code)).toBe(`Evaluation Error: Error while evaluating a Function Call, ${expected}`)
  })

  it.each([
    ['binding, eval <%= @a %> @b', '["a"]'],
    ['<%# binding @b %><%= @a # eval @c\n%>', '["a", "c"]'],
    ['<%%= binding %><%= @a %>', '["a"]'],
    ["<%= @a['eval'] + 'binding' %>", '[["a", "eval"]]'],
    ['<%= @a.map { |x| "#{x} eval" } %>', '["a"]'],
    ["<%= @a =~ /'/ ? 'x' : 'binding' %>", '["a"]'],
    ['<%= "#{binding}" %>', 'nil'],
    ['<%= "%%>" + binding.to_s %>', 'nil'],
    ["<%= @a =~ /'/ ? binding : 'x' %>", 'nil'],
    ["<%= send('binding') %>", 'nil'],
    ['<%= method(:binding) %>', 'nil'],
    ["<%= instance_eval('binding') %>", 'nil'],
    ["<%= instance_variable_get('@' + @a) %>", 'nil'],
    ['<%= binding', '[]'],
    ["<% @a << 'x' %> a << b", '["a"]'],
    ["<%= @a['b'] %> a << b", '[["a", "b"]]'],
  ])('asks for the variables that its code names: %s', (text, expected) => {
    const code = `$text = '${text.replaceAll("'", "\\'")}' notice(inline_template('<%= Plumb::Templates.compiled(scope[%q(text)], nil).variables.inspect %>'))`
    expect(noticed({}, code)).toEqual([expected])
  })

  it('are rendered where no name of Ruby can stand for a fact', () => {
    const code = `notice(inline_template('<%= instance_variables.grep(/1st/).size %> <%= scope[%q(1st)] %>'))`
    const facts = { '1st': 'one', '': 'none' }
    expect(noticed({}, code, 'production', 0, { facts })).toEqual(['0 one'])
  })

  it('says where a template is no Ruby', () => {
    expect(refusal(files, "template('web/unfinished.erb')")).toMatch(
      /Failed to parse template web\/unfinished.erb:\n {2}Filepath: .*unfinished.erb\n {2}Line: 2\n/,
    )
    const without = { 'modules/web/templates/open.erb': 'one\n<% [1].each do %>\ntwo\n' }
    expect(refusal(without, "template('web/open.erb')")).toMatch(
      / {2}Line: 4\n.*open\.erb:4: (?!.*`def`)[\s\S]*`do` to end with `end`/,
    )
  })
})
