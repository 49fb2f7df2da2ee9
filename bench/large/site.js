// A control repository of the size of a large site's, made up: modules with manifests, ERB templates and functions in
// Ruby, data for many nodes, and a custom Hiera backend in Ruby.

/** The node that has all modules: some eighteen resources of each. */
export const everything = 'everything.example.test'

/** Text by path. 280 modules are 3,360 manifests, 1,400 ERB templates, 1,120 Ruby files, and a catalog of 5,300 resources. */
export function siteFiles({ modules = 280, nodes = 1700 } = {}) {
  const names = Array.from({ length: modules }, (_, number) => `m${String(number).padStart(3, '0')}`)
  return new Map(
    Object.entries(
      Object.assign(
        {
          'environment.conf': 'modulepath = modules:site\n',
          'hiera.yaml': hiera,
          'data/common.yaml':
            "---\nsite::domain: example.test\nlookup_options:\n  '^m\\d+::peers$': { merge: unique }\n",
          'site/site/lib/puppet/functions/site/by_module.rb': backend,
          'manifests/site.pp': `node '${everything}' {\n${names.map((name) => `  include ${name}\n`).join('')}}\n\nnode default {\n  include m000\n}\n`,
        },
        ...names.map(moduleFiles),
        ...Array.from({ length: nodes }, (_, number) => ({
          [nodeFile(number)]: `---\nsite::rack: ${number % 40}\n${names[number % modules]}::owner: root\n`,
        })),
      ),
    ),
  )
}

/** What the commits of a history change: a manifest and a file of modules, a node's data, and now and then a template. */
export function changedFiles(number, { modules = 280, nodes = 1700 } = {}) {
  const name = (index) => `m${String(index % modules).padStart(3, '0')}`
  const [manifest, file, template] = [name(number), name(number * 7 + 3), name(number * 11 + 5)]
  return [
    [`modules/${manifest}/manifests/part${(number % 9) + 1}.pp`, part(manifest, (number % 9) + 1, number)],
    [`modules/${file}/files/file${number % 20}.conf`, `# ${file}\nrevision = ${number}\n`],
    [nodeFile(number % nodes), `---\nsite::rack: ${number % 40}\nsite::revision: ${number}\n`],
    ...(number % 2 === 0 ? [[`modules/${template}/templates/more1.erb`, `# revision ${number}\n`]] : []),
  ]
}

function nodeFile(number) {
  return `data/nodes/node${number}.example.test.yaml`
}

function moduleFiles(name, number) {
  const at = (path) => `modules/${name}/${path}`
  const numbered = (count, path, text) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [at(path(index + 1)), text(index + 1)]))
  return {
    [at('manifests/init.pp')]: init(name),
    [at('manifests/instance.pp')]: instance(name),
    [at('manifests/log.pp')]: log(name, number % 20 === 0),
    ...numbered(
      9,
      (each) => `manifests/part${each}.pp`,
      (each) => part(name, each, 0),
    ),
    [at('templates/main.conf.erb')]: mainTemplate,
    [at('templates/peers.conf.erb')]: peersTemplate,
    ...numbered(
      3,
      (each) => `templates/more${each}.erb`,
      () => '# <%= @title %>\n',
    ),
    [at(`lib/puppet/functions/${name}/label.rb`)]: label(name),
    ...numbered(
      3,
      (each) => `lib/puppet/functions/${name}/more${each}.rb`,
      (each) => more(name, each),
    ),
    ...numbered(
      20,
      (each) => `files/file${each - 1}.conf`,
      (each) => `# ${name}\nrevision = 0.${each}\n`,
    ),
    [`data/modules/${name}.yaml`]: moduleData(name, number),
  }
}

const hiera = `---
version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: node, path: "nodes/%{trusted.certname}.yaml" }
  - { name: common, path: common.yaml }
  - { name: module, lookup_key: site::by_module, path: modules }
`

const backend = `# Data of a module in a file of the module's name.
Puppet::Functions.create_function(:'site::by_module') do
  dispatch :by_module do
    param 'String', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def by_module(key, options, context)
    name = key.split('::').first
    return context.not_found if name == key || name == 'lookup_options'
    return context.cached_value(key) if context.cache_has_key(key)
    file = File.join(options['path'], "#{name}.yaml")
    return context.not_found unless File.exist?(file)
    data = context.cached_file_data(file) { |text| YAML.load(text) }
    return context.not_found unless data.key?(key)
    context.cache(key, context.interpolate(data[key]))
  end
end
`

const init = (name) => `# What ${name} is, everywhere.
class ${name} (
  Integer[1, 65535] $port,
  Array[String[1]] $peers,
  Hash[String[1], Hash] $instances,
  String[1] $owner = 'root',
) {
  $label = ${name}::label($title, $port)

  file { '/etc/${name}':
    ensure => directory,
    owner  => $owner,
    mode   => '0755',
  }
  file { '/etc/${name}/main.conf':
    owner   => $owner,
    content => template('${name}/main.conf.erb'),
  }
  file { '/etc/${name}/peers.conf':
    owner   => $owner,
    content => template('${name}/peers.conf.erb'),
    notify  => Service['${name}'],
  }
  file { '/etc/${name}/static.conf':
    source => 'puppet:///modules/${name}/file0.conf',
  }
  package { '${name}':
    ensure => installed,
  }
  -> service { '${name}':
    ensure => running,
    enable => true,
  }
  $instances.each |String $instance, Hash $given| {
    ${name}::instance { "\${instance}.\${port}":
      * => $given,
    }
  }
  include ${name}::log
}
`

const instance = (name) => `# One instance of ${name}.
define ${name}::instance (
  String[1] $directory,
  Integer[1] $workers,
  Boolean $verbose = false,
) {
  file { $directory:
    ensure  => directory,
    require => Package['${name}'],
  }
  file { "\${directory}/instance.conf":
    content => @("END"),
      name = \${title}
      workers = \${$workers * 2}
      verbose = \${if $verbose { 'yes' } else { 'no' }}
      | END
    tag     => ['instance', '${name}'],
  }
}
`

const log = (name, collects) => `# Logs of ${name}.
class ${name}::log {
  file { '/var/log/${name}':
    ensure => directory,
  }
  file { '/etc/logrotate.d/${name}':
    content => inline_epp('<%= $name %> { weekly }', { 'name' => '/var/log/${name}/*.log' }),
  }
${
  collects
    ? `  File <| tag == '${name}' |> {
    group => 'adm',
  }
`
    : ''
}}
`

const part = (name, number, revision) => `# Part ${number} of ${name}; revision ${revision}.
class ${name}::part${number} (
  Boolean $enabled = ${revision % 2 === 0},
) {
  if $enabled {
    notify { "part ${number} of ${name} at revision ${revision}": }
  }
}
`

const mainTemplate = `# <%= @label %> on <%= @facts['networking']['fqdn'] %>
port = <%= @port %>
family = <%= @facts['os']['family'].downcase %>
<%- if scope['facts']['processors']['count'].to_i > 0 -%>
workers = <%= scope['facts']['processors']['count'].to_i * 2 %>
<%- end -%>
<%- @instances.sort.each do |name, given| -%>
instance <%= name %> <%= given['directory'] %>
<%- end -%>
`

const peersTemplate = `<%- @peers.sort.each_with_index do |peer, index| -%>
<%= index %> <%= peer %> <%= scope.lookupvar('port') %>
<%- end -%>
`

const label = (name) => `# How ${name} is called in its files.
Puppet::Functions.create_function(:'${name}::label') do
  dispatch :label do
    param 'String', :title
    param 'Integer', :port
  end

  def label(title, port)
    format('%s:%05d', title.upcase, port)
  end
end
`

const more = (name, number) => `# ${name}, number ${number}.
Puppet::Functions.create_function(:'${name}::more${number}') do
  def more${number}(*values)
    values.map(&:to_s).join(' ')
  end
end
`

function moduleData(name, number) {
  const instances = [1, 2, 3].map(
    (each) => `  i${each}: { directory: /srv/${name}/i${each}, workers: ${each}, verbose: ${each === 2} }\n`,
  )
  return `---
${name}::port: ${8000 + number}
${name}::peers: ["a.%{lookup('site::domain')}", b.example.test, c${number}.example.test]
${name}::instances:
${instances.join('')}`
}
