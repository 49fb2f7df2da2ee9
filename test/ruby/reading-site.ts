/** The folder of the environment, as Ruby sees it. */
export const root = '/code/traces'
const reads = 'modules/reads'

/** Functions of Puppet 4's kind, by name: each reads in another way what its first argument names. */
const functions: Readonly<Record<string, string>> = {
  read: 'File.read(args[0])',
  bytes: "File.binread(args[0]).unpack1('H*')",
  opened: 'File.open(args[0]) { |file| [file.gets, file.read(3), file.eof?].inspect }',
  lines: "File.foreach(args[0]).map(&:strip).join('|')",
  readlines: 'IO.readlines(args[0]).size',
  exists: '[File.exist?(args[0]), File.file?(args[0]), File.directory?(args[0]), FileTest.exist?(args[0])].inspect',
  stat: '[File.size(args[0]), File.zero?(args[0]), File.stat(args[0]).size, File.ftype(args[0])].inspect',
  maybe: 'File.size?(args[0]).inspect',
  glob: "Dir.glob(args[0]).sort.join(' ')",
  children: "Dir.children(args[0]).sort.join(' ')",
  entries: "Dir.entries(args[0]).sort.join(' ')",
  empty: '[Dir.exist?(args[0]), Dir.empty?(args[0])].inspect',
  found: "require 'find'\nFind.find(args[0]).to_a.join(' ')",
  path: "path = Pathname.new(args[0])\npath.file? ? path.read : path.children.map(&:to_s).sort.join(' ')",
  real: 'File.realpath(args[0])',
  yaml: 'YAML.load_file(args[0]).inspect',
  json: 'JSON.parse(File.read(args[0])).inspect',
  system: 'Puppet::FileSystem.exist?(args[0]) ? Puppet::FileSystem.read(args[0]) : nil',
  named: 'Puppet::Parser::Files.find_file(args[0], nil).inspect',
  module: 'found = Puppet::Module.find(args[0])\nfound && [found.path, found.metadata].inspect',
  modules: "closure_scope.compiler.environment.modules.map(&:name).sort.join(' ')",
  either: "File.exist?(args[0]) ? File.read(args[0]) : Dir.children(File.dirname(args[0])).sort.join(' ')",
  pointed: 'args.reduce { |to, _| File.read(to).strip }.then { |to| File.exist?(to) ? File.read(to) : to }',
  calls: 'call_function(*args).inspect',
  all: "args.map { |each| call_function('reads::read', each) }.join('|')",
  helped: 'Reads::Helper.new(args[0]).text',
  late: "require '/code/traces/modules/reads/files/late.rb'\nReads::Late.new.text(args[0])",
  later: 'Reads::Later.new.text(args[0])',
}

/** Code before a function. */
const before: Readonly<Record<string, string>> = {
  helped: "require_relative '../../../reads/helper'",
  later: "module Reads; autoload :Later, '/code/traces/modules/reads/files/later.rb'; end",
}

/** Functions of Puppet 3's kind. */
const oldFunctions: Readonly<Record<string, string>> = {
  reads_old: "args.map { |each| File.exist?(each) ? File.read(each) : 'none' }.join('|')",
  reads_files: 'function_file(args)',
  reads_asks: 'function_hiera(args).inspect',
  reads_calls: 'call_function(args[0], args.drop(1)).inspect',
}

const templates: Readonly<Record<string, string>> = {
  'file.erb': `<%= File.exist?(@path) ? File.read(@path) : 'none' %>`,
  'folder.erb': `<% Dir.glob(@path + '/*').sort.each do |each| -%><%= each %> <%= File.size(each) %>\n<% end -%>`,
  'nested.erb': `<%= scope.function_template(['reads/file.erb']) %> in <%= scope.call_function('template', ['reads/word.erb']) %>`,
  'word.erb': 'a word of <%= @path %>',
  'data.erb': `<%= scope.call_function('lookup', [@path]).inspect %> <%= scope.function_hiera(['a', 'no a']) %>`,
  'old.erb': '<%= scope.function_reads_old([@path]) %>',
  'new.erb': `<%= scope.call_function('reads::read', [@path]) %>`,
  'other.erb': `<%= scope.function_file(['reads/one.txt']) %><%= scope.call_function('epp', ['reads/word.epp']) %>`,
  'word.epp': 'words of epp',
}

const hiera = `version: 5
hierarchy:
  - { name: node, path: "nodes/%{facts.os.family}.yaml" }
  - { name: some, glob: "some/*.yaml" }
  - { name: roles, mapped_paths: [facts.roles, role, "roles/%{role}.yaml"] }
  - { name: backend, lookup_key: reads::backend, path: backend.yaml, options: { family: "%{facts.os.family}" } }
  - { name: plain, lookup_key: reads::plain, options: { folder: /code/traces/data } }
  - { name: hash, data_hash: reads::whole, paths: [hash.yaml, hashes.yaml] }
  - { name: dig, data_dig: reads::dig, path: dig.yaml }
  - { name: json, data_hash: json_data, path: common.json }
  - { name: common, path: common.yaml }
`

/** Functions of data, each with its parameters. */
const backends: Readonly<Record<string, readonly [parameters: string, code: string]>> = {
  backend: [
    'String key, Hash options, Puppet::LookupContext context',
    `data = context.cached_file_data(options['path']) { |text| YAML.safe_load(text) || {} }
    return context.not_found unless data.key?(key)
    return context.cached_value(key) if context.cache_has_key(key)
    context.cache(key, context.interpolate(data[key]))`,
  ],
  plain: [
    'String key, Hash options, Puppet::LookupContext context',
    `path = File.join(options['folder'], 'plain', key + '.txt')
    File.file?(path) ? File.read(path) : context.not_found`,
  ],
  whole: ['Hash options, Puppet::LookupContext context', `YAML.load_file(options['path']) || {}`],
  dig: [
    'Array key, Hash options, Puppet::LookupContext context',
    `data = YAML.safe_load(File.read(options['path'])) || {}
    key.reduce(data) { |at, each| at.is_a?(Hash) && at.key?(each) ? at[each] : context.not_found }`,
  ],
}

/** A site whose code in Ruby reads its files and its data in all ways. */
export const site: Readonly<Record<string, string>> = {
  'hiera.yaml': hiera,
  'data/nodes/Debian.yaml': 'node: of Debian\n',
  'data/nodes/RedHat.yaml': 'node: of RedHat\na: a of RedHat\n',
  'data/some/one.yaml': 'some: one\nlist: [some]\n',
  'data/some/two.yaml': 'some: two\ndeep: { some: two }\n',
  'data/roles/web.yaml': 'role: web\n',
  'data/backend.yaml': 'backend: "of %{facts.os.family}"\nbacked: { list: [1, 2] }\nasks: "%{lookup(\'a\')}"\n',
  'data/plain/plain.txt': 'plain text',
  'data/hash.yaml': 'hash: { one: 1 }\n',
  'data/hashes.yaml': 'hash: { two: 2 }\nhashed: more\n',
  'data/dig.yaml': 'dug: { deep: 1 }\n',
  'data/common.json': '{ "json": "text", "list": ["json"] }',
  'data/common.yaml': `a: a of all
b: "%{lookup('a')} and %{facts.os.family}"
c: "%{alias('list')}"
list: [common]
deep: { common: 1 }
lookup_options: { deep: { merge: deep }, list: { merge: unique } }
`,
  [`${reads}/metadata.json`]: '{ "name": "some-reads", "version": "1.0.0" }',
  [`${reads}/hiera.yaml`]: 'version: 5\nhierarchy: [{ name: own, path: own.yaml }]\n',
  [`${reads}/data/own.yaml`]: 'reads::own: "own of %{module_name}"\n',
  [`${reads}/files/one.txt`]: 'one\n1\n',
  [`${reads}/files/two.txt`]: 'two words\nof\nlines',
  [`${reads}/files/empty`]: '',
  [`${reads}/files/to`]: `${root}/${reads}/files/one.txt\n`,
  [`${reads}/files/folder/a`]: 'in a folder',
  [`${reads}/files/folder/below/b`]: 'below',
  [`${reads}/files/late.rb`]: "module Reads; class Late; def text(of) = 'late ' + of; end; end",
  [`${reads}/files/later.rb`]: "module Reads; class Later; def text(of) = 'later ' + of; end; end",
  [`${reads}/lib/reads/helper.rb`]:
    'module Reads; class Helper; def initialize(path) = @path = path; def text = File.read(@path).upcase; end; end',
  [`${reads}/lib/reads/native.so`]: 'no code',
  [`${reads}/lib/reads/words`]: 'words beside code',
  [`${reads}/lib/puppet/type/kinds.rb`]: `Puppet::Type.newtype(:kinds) do
  newparam(:name)
  newparam(:kind) { newvalues(*YAML.load_file('${root}/data/kinds.yaml')) }
end
`,
  'data/kinds.yaml': '[one, two]\n',
  [`${reads}/functions/puppet.pp`]: "function reads::puppet() { file('reads/one.txt') }",
  [`${reads}/manifests/init.pp`]: `class reads($own = 'none') { $path = '${root}/${reads}/files/one.txt' notice($own, template('reads/nested.erb')) }`,
  'modules/other/metadata.json': '{ "name": "some-other", "version": "2.0.0" }',
  ...below(`${reads}/templates`, templates),
  ...below(`${reads}/lib/puppet/functions/reads`, functionFiles()),
  ...below(
    `${reads}/lib/puppet/parser/functions`,
    Object.fromEntries(Object.entries(oldFunctions).map(([name, code]) => [`${name}.rb`, oldFunction(name, code)])),
  ),
}

const files = `${root}/${reads}/files`
const data = `${root}/data`
const lib = `${root}/${reads}/lib`

/** Manifests each of which runs some of the site's Ruby. */
export const manifests: readonly string[] = [
  ...['read', 'bytes', 'opened', 'lines', 'readlines', 'exists', 'stat', 'maybe', 'real', 'system', 'either'].flatMap(
    (name) => [call(name, `${files}/one.txt`), call(name, `${files}/absent`)],
  ),
  ...['exists', 'children', 'entries', 'empty', 'found', 'path'].flatMap((name) => [
    call(name, `${files}/folder`),
    call(name, `${data}/some`),
  ]),
  call('glob', `${files}/*.txt`),
  call('glob', `${data}/**/*.yaml`),
  call('glob', `${lib}/**/*`),
  call('path', `${files}/two.txt`),
  ...['a', 'dig', 'common', 'hash'].map((name) => call('yaml', `${data}/${name}.yaml`)),
  call('json', `${data}/common.json`),
  call('named', 'reads/two.txt'),
  ...['reads', 'other', 'third'].map((name) => call('module', name)),
  call('modules'),
  call('pointed', `${files}/to`, '1'),
  ...['read', 'exists'].flatMap((name) =>
    ['reads/native.so', 'reads/other.so', 'reads/words', 'reads/helper.rb', 'reads/folder.rb'].map((path) =>
      call(name, `${lib}/${path}`),
    ),
  ),
  call('helped', `${files}/two.txt`),
  ...['late', 'later'].map((name) => `notice(reads::${name}('1'))\nnotice(reads::${name}('2'))`),
  call('all', `${files}/one.txt`, `${files}/two.txt`),
  call('calls', 'file', '/absent', `${files}/one.txt`),
  call('calls', 'find_file', 'reads/absent', 'reads/two.txt'),
  call('calls', 'reads::read', `${files}/one.txt`),
  call('calls', 'reads::puppet'),
  call('calls', 'template', 'reads/word.erb'),
  ...[
    'a',
    'b',
    'c',
    'node',
    'some',
    'role',
    'list',
    'deep',
    'backend',
    'backed',
    'asks',
    'plain',
    'hash',
    'hashed',
    'dug',
  ]
    .concat(['json', 'reads::own', 'absent', 'deep.common', 'dug.deep'])
    .flatMap((key) => [call('calls', 'lookup', key), `notice(lookup('${key}', { 'default_value' => 'none' }))`]),
  call('calls', 'hiera', 'a'),
  call('calls', 'hiera_hash', 'deep', '{}'),
  `notice(reads_old('${files}/one.txt', '${files}/absent', '${data}/dig.yaml'))`,
  "notice(reads_files('reads/absent', 'reads/one.txt'))",
  "notice(reads_asks('b', 'none'))",
  `notice(reads_calls('reads::read', '${files}/two.txt'))`,
  ...['one.txt', 'absent', 'folder'].map((name) => template('file', `${files}/${name}`)),
  template('folder', `${files}/folder`),
  template('folder', `${data}/roles`),
  ...['nested', 'old', 'new'].map((name) => template(name, `${files}/two.txt`)),
  ...['b', 'hash', 'backend', 'asks', 'deep'].map((key) => template('data', key)),
  template('other', 'none'),
  'include reads',
  "kinds { 'one': kind => 'two' }",
]

function call(name: string, ...args: readonly string[]): string {
  return `notice(reads::${name}(${args.map((each) => `'${each}'`).join(', ')}))`
}

function template(name: string, path: string): string {
  return `$path = '${path}'\nnotice(template('reads/${name}.erb'))`
}

function functionFiles(): Readonly<Record<string, string>> {
  const plain = Object.entries(functions).map(([name, code]) => [
    `${name}.rb`,
    `${before[name] ?? ''}
Puppet::Functions.create_function(:'reads::${name}') do
  def ${name}(*args)
    ${code}
  rescue SystemCallError, Psych::SyntaxError, JSON::ParserError => error
    error.class.name
  end
end
`,
  ])
  const ofData = Object.entries(backends).map(([name, [parameters, code]]) => {
    const all = parameters.split(', ').map((each) => each.split(' ') as [string, string])
    const text = `Puppet::Functions.create_function(:'reads::${name}') do
  dispatch :${name} do
${all.map(([type, each]) => `    param '${type}', :${each}\n`).join('')}  end
  def ${name}(${all.map(([, each]) => each).join(', ')})
    ${code}
  end
end
`
    return [`${name}.rb`, text]
  })
  return Object.fromEntries([...plain, ...ofData])
}

function oldFunction(name: string, code: string): string {
  return `module Puppet::Parser::Functions
  newfunction(:${name}, :type => :rvalue) do |args|
    ${code}
  end
end
`
}

function below(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))
}
