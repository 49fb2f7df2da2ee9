// Manifests and templates of the made-up site: a module that all nodes have, and one for each service.

/** The module `fleet`: what all nodes have, and definitions for the services. */
export function baseModule(services, program) {
  const at = (path) => `site/fleet/${path}`
  return {
    [at('manifests/init.pp')]: fleet(services),
    [at('manifests/unit.pp')]: unit,
    [at('manifests/timer.pp')]: timer(program),
    [at('types/path.pp')]: '# An absolute path.\ntype Fleet::Path = Pattern[/\\A\\/([^\\n\\/\\0]+\\/*)*\\z/]\n',
    [at('types/url.pp')]: '# Where something is on the web.\ntype Fleet::Url = Pattern[/\\Ahttps?:\\/\\/\\S+\\z/]\n',
    [at('templates/motd.erb')]: motd,
    [at('templates/unit.erb')]: unitTemplate,
    [at('templates/timer.erb')]: timerTemplate,
    [at('templates/header.erb')]: header,
  }
}

/** The module of one service. */
export function serviceFiles(name, number) {
  const at = (path) => `modules/${name}/${path}`
  return {
    [at('manifests/init.pp')]: service(name),
    [at('manifests/instance.pp')]: instance(name),
    [at('templates/main.conf.erb')]: mainTemplate(number),
    [at('templates/peers.conf.erb')]: peersTemplate,
    [at('templates/firewall.erb')]: firewallTemplate,
    [at('templates/instance.conf.erb')]: instanceTemplate(number),
    [at('files/static.conf')]: `# ${name}\n`,
  }
}

const fleet = (services) => `# What all nodes have.
class fleet (
  Integer $revision,
  String[1] $contact,
) {
  $path = fleet_role()

  file { '/etc/fleet':
    ensure => directory,
  }
  file { '/etc/fleet/revision':
    content => "\${revision}\\n",
  }
  file { '/etc/motd':
    content => template('fleet/header.erb', 'fleet/motd.erb'),
  }
  fleet_member { $facts['networking']['fqdn']:
    ensure => present,
    weight => '10',
    pool   => $location,
  }
${services.map((name) => `  include ${name}\n`).join('')}}
`

const unit = `# A unit of systemd, and its service.
define fleet::unit (
  String[1] $command,
  String[1] $user,
  Hash[String[1], Scalar] $environment = {},
) {
  file { "/etc/systemd/system/\${title}.service":
    mode    => '0444',
    content => template('fleet/unit.erb'),
    notify  => Service[$title],
  }
  service { $title:
    ensure => running,
    enable => true,
  }
}
`

const timer = (program) => `# A timer of systemd, with a calendar that a program has looked at.
define fleet::timer (
  String[1] $command,
  String[1] $user,
  String[1] $interval,
) {
  $calendar = generate('${program}', '%s', $interval)
  $minute = fleet::slot($title)

  fleet::unit { $title:
    command => $command,
    user    => $user,
  }
  file { "/etc/systemd/system/\${title}.timer":
    mode    => '0444',
    content => template('fleet/timer.erb'),
    require => Fleet::Unit[$title],
  }
}
`

const service = (name) => `# The service ${name}.
class ${name} (
  Integer[1, 65535] $port,
  String[1] $owner,
  Boolean $tls,
  Enum['primary', 'replica', 'witness'] $mode,
  Array[String[1]] $packages,
  Array[String[1]] $peers,
  Hash[String[1], Data] $limits,
  Array[String[1]] $networks,
  Hash[String[1], Hash] $instances,
  String[1] $password,
) {
  $label = fleet::label($title, $port, { 'upper' => $mode == 'primary' })
  $ranges = fleet::networks($networks)
  $shared_key = lookup('${name}::shared_key', Optional[String], 'first', undef)

  package { '${name}':
    ensure => installed,
  }
  ($packages - ['${name}']).each |$package| {
    unless defined(Package[$package]) {
      package { $package:
        ensure => installed,
      }
    }
  }
  file {
    default:
      owner   => $owner,
      require => Package['${name}'],
      ;
    '/etc/${name}':
      ensure => directory,
      ;
    '/etc/${name}/main.conf':
      content => template('${name}/main.conf.erb'),
      notify  => Fleet::Unit['${name}'],
      ;
    '/etc/${name}/peers.conf':
      content => template('${name}/peers.conf.erb'),
      ;
    '/etc/${name}/limits.conf':
      content => fleet_ini($limits),
      ;
    '/etc/${name}/firewall':
      content => template('${name}/firewall.erb'),
      ;
    '/etc/${name}/static.conf':
      source => 'puppet:///modules/${name}/static.conf',
      ;
  }
  fleet::unit { '${name}':
    command     => "/usr/sbin/${name} --port \${port}",
    user        => $owner,
    environment => { 'MODE' => $mode, 'TLS' => $tls },
  }
  $instances.each |$key, $given| {
    ${name}::instance { "${name}-\${key}":
      * => $given,
    }
  }
}
`

const instance = (name) => `# One instance of ${name}.
define ${name}::instance (
  Fleet::Path $directory,
  Integer[1] $workers,
  Fleet::Url $upstream,
  Optional[String[1]] $interval = undef,
) {
  file { $directory:
    ensure  => directory,
    owner   => $${name}::owner,
    require => Package['${name}'],
  }
  file { "\${directory}/instance.conf":
    owner   => $${name}::owner,
    content => template('${name}/instance.conf.erb'),
  }
  if $interval {
    fleet::timer { "\${title}-rotate":
      command  => "/usr/sbin/${name}-rotate \${directory}",
      user     => $${name}::owner,
      interval => $interval,
    }
  } else {
    fleet::unit { "\${title}-worker":
      command => "/usr/sbin/${name}-worker \${directory}",
      user    => $${name}::owner,
    }
  }
}
`

const header = `# Managed for <%= @facts['networking']['fqdn'] %>; see <%= scope.lookupvar('fleet::contact') %>
`

const motd = `<%- role = scope['path'] -%>
<%= role.capitalize %> in <%= @location %>, <%= @facts['os']['distro']['codename'] %>
<%- if scope.lookupvar('::trusted')['certname'] != @facts['networking']['fqdn'] -%>
Name and certificate differ.
<%- end -%>
`

const unitTemplate = `<%- require 'shellwords' -%>
[Unit]
Description=<%= @title %>
[Service]
User=<%= @user %>
ExecStart=<%= Shellwords.split(@command).map { |word| Shellwords.escape(word) }.join(' ') %>
<%- @environment.sort.each do |name, value| -%>
Environment=<%= name %>=<%= value %>
<%- end -%>
`

const timerTemplate = `[Timer]
OnCalendar=<%= @calendar.sub(/:\\d\\d:/) { format(':%02d:', @minute) } %>
Unit=<%= @title %>.service
`

const mainTemplate = (number) => `<%= scope.function_template(['fleet/header.erb']) -%>
# <%= @label %>
listen = <%= @facts['networking']['ip'] %>:<%= @port %>
mode = <%= @mode %>
<%- if @tls -%>
tls = on
ciphers = <%= scope.call_function('fleet_ini', [{ 'suite' => %w[a b c], 'level' => ${number} }]).split("\\n").join(',') %>
<%- end -%>
password = <%= @password %>
<%- @limits.each do |name, value| -%>
<%= name %> = <%= value.is_a?(Hash) ? value.values.join(':') : value %>
<%- end -%>
<%- if @shared_key -%>
key = <%= @shared_key %>
<%- end -%>
`

const peersTemplate = `<%-
  def self.address(peer, index)
    format('%03d %s', index, peer)
  end
-%>
<%- @peers.sort.each_with_index do |peer, index| -%>
<%= address(peer, index) %> <%= scope.lookupvar('port') %>
<%- end -%>
`

const firewallTemplate = `<%- @ranges.each do |range| -%>
allow <%= range['first'] %>-<%= range['last'] %> port <%= @port %> # <%= range['mask'] %>
<%- end -%>
<%- if has_variable?('shared_key') && @shared_key -%>
allow any
<%- end -%>
`

const instanceTemplate = (number) => `# <%= @title %>
directory = <%= @directory %>
workers = <%= [@workers, @facts['processors']['count'].to_i * 2].min %>
upstream = <%= @upstream %>
<%- (1..${(number % 5) + 3}).each do |each| -%>
slot<%= each %> = <%= (@workers * each) % 7 %>
<%- end -%>
`
