#!/usr/bin/env ruby
# Real Puppet applying manifests, each in a process of its own that need not load Puppet again. Reads a JSON array of
#   {"words": [word of `puppet apply`…], "vardir": path, "folder": path, "bin": path, "facts": {…}, "records": path, "etc": path}
# (`before` is a shell script to run first, `after` one to run last, whose output is `state`; with `remembers` the run keeps what it sets, as only the agent does;
# `bin`, if any, is a folder of programs that take the place of the machine's; `facts` come instead of those below;
# `records` is a folder of hosts, aliases and their kin that stand for those of /etc; of `etc`, a copy, the tree has accounts)
# from standard input and prints an array of {"status", "out", "err", "resources", "tree"}: what a run said, by reference
# what its report says of each resource, and by path what is in the folder after it. Facts are few and fixed: Facter
# takes seconds.
require 'base64'
require 'json'
require 'tempfile'
require 'puppet'
require 'puppet/util/command_line'
require 'puppet/application/apply'
require_relative '../support/known-facts'

FACTS = {
  'kernel' => 'Linux', 'osfamily' => 'Debian', 'operatingsystem' => 'Debian',
  'os' => { 'family' => 'Debian', 'name' => 'Debian', 'release' => { 'major' => '12', 'full' => '12.5' } }
}.freeze

# Code of modules asks Facter by its name, which loads with it.
module Facter
  def self.value(name) = FACTS.dig(*name.to_s.split('.'))
end

# A message of Ruby's own is kept in US-ASCII, and a report has the base64 of it.
def plain(text)
  return text unless text.is_a?(String)

  text = text.dup.force_encoding('UTF-8').scrub
  decoded = text.match?(/\A[\w-]{22,}=*\z/) ? Base64.urlsafe_decode64(text).force_encoding('UTF-8') : text
  decoded.valid_encoding? && decoded.match?(/\A[[:print:]\n]*\z/) ? decoded : text
end

def event_of(event)
  words = %w[property name status message previous_value].to_h { |name| [name, plain(event.public_send(name))] }
  words.merge('desired_value' => event.desired_value, 'corrective_change' => event.corrective_change)
end

def resources_of(vardir)
  path = File.join(vardir, 'state', 'last_run_report.yaml')
  return {} unless File.exist?(path)

  YAML.unsafe_load_file(path).resource_statuses.to_h do |reference, status|
    [reference, {
      failed: status.failed, skipped: status.skipped, changed: status.changed, out_of_sync: status.out_of_sync,
      provider_used: status.provider_used, tags: status.tags.to_a.sort, events: status.events.map { |event| event_of(event) }
    }]
  end
end

def tree_of(folder)
  entries_of(folder, Dir.glob('**/*', File::FNM_DOTMATCH, base: folder).reject { |path| path.end_with?('.') }.sort)
end

def entries_of(folder, paths)
  paths.to_h do |path|
    full = File.join(folder, path)
    stat = File.lstat(full)
    what = if stat.symlink? then "-> #{File.readlink(full)}"
           elsif stat.file? then File.binread(full).force_encoding('ISO-8859-1').encode('UTF-8')
           end
    [path, [stat.ftype, format('%o', stat.mode & 0o7777), stat.uid, stat.gid, what]]
  end
end

# Programs that providers name by their whole path are those of the folder, too.
def use_programs(bin)
  ENV['PATH'] = "#{bin}:/usr/sbin:/usr/bin:/sbin:/bin"
  in_place = Module.new do
    define_method(:which) do |program|
      own = File.join(bin, File.basename(program))
      File.executable?(own) ? own : super(program)
    end
  end
  [Puppet::Util, Puppet::Util.singleton_class].each { |room| room.prepend(in_place) }
end

# By type and provider; a file in /etc.
RECORDS = {
  host: [:parsed, 'hosts'], mailalias: [:aliases, 'aliases'], sshkey: [:parsed, 'ssh/ssh_known_hosts'], mount: [:parsed, 'fstab']
}.freeze

def use_records(folder, modules)
  $LOAD_PATH.unshift(*Dir["#{modules}/*/lib"])
  RECORDS.each do |type, (provider, file)|
    found = Puppet::Type.type(type)&.provider(provider) or next
    found.define_singleton_method(:default_target) { File.join(folder, file) }
  end
end

# SELinux of a case: contexts of files by path, of the policy by the end of a path; `stuck` ones do not change.
def use_selinux(folder)
  room = File.join(folder, 'selinux')
  contexts = File.join(room, 'contexts')
  rows = ->(name) { File.readlines(File.join(room, name), chomp: true).map { |row| row.split(' ', 2) } }
  found = lambda do |path|
    own = rows.call('contexts').reverse.assoc(path)&.last
    own || (File.exist?(path) || File.symlink?(path) ? 'u:r:unlabelled_t:s0' : nil)
  end
  Object.const_set(:Selinux, Module.new do
    define_singleton_method(:is_selinux_enabled) { 1 }
    define_singleton_method(:matchpathcon_fini) {}
    define_singleton_method(:selinux_translations_path) { File.join(room, 'translations') }
    define_singleton_method(:lgetfilecon) { |path| found.call(path).then { |own| own ? [own.size, own] : -1 } }
    define_singleton_method(:matchpathcon) do |path, mode|
      kind = { 0o040000 => 'dir', 0o120000 => 'lnk_file' }.fetch(mode & 0o170000, 'file')
      own = rows.call('policy').find { |name, _| path.end_with?(name.sub(/^\w+:/, '')) && (name.start_with?("#{kind}:") || !name.include?(':')) }
      own ? [0, own.last] : -1
    end
    define_singleton_method(:lsetfilecon) do |path, context|
      next -1 if context.include?('stuck')

      File.open(contexts, 'a') { |file| file.puts "#{path} #{context}" }
      0
    end
  end)
  Puppet::Util::SELinux.define_method(:read_mounts) { rows.call('mounts').to_h { |_, rest| rest.split.first(2) } }
end

# A case with a file `comm` has systemd as its first process, if that says so. The provider looks when it is loaded.
def use_first_process(comm)
  in_place = Module.new do
    define_method(:exist?) { |path| super(path == '/proc/1/comm' ? comm : path) }
    define_method(:read) { |path, **options| super(path == '/proc/1/comm' ? comm : path, **options) }
  end
  Puppet::FileSystem.singleton_class.prepend(in_place)
  load 'puppet/provider/service/systemd.rb'
end

# What every run asks for is loaded, and made, once.
def prepare
  Puppet.runtime[:facter] = KnownFacts.new(FACTS)
  %i[file user group stage whit component exec service schedule filebucket notify].each { |name| Puppet::Type.type(name) }
  %w[indirector/catalog/compiler indirector/node/plain indirector/report/yaml reports/store file_bucket/dipper util/diff].each do |name|
    require "puppet/#{name}"
  end
  Puppet::Pops::Parser::EvaluatingParser.new.parse_string("notify { 'x': }", 'x')
end

# `puppet apply` remembers nothing from run to run.
def remember_changes
  Puppet::Transaction::Persistence.define_method(:enabled?) { |catalog| catalog.host_config? }
end

# The folders of Debian's Puppet exist; those of OpenVox, which runs from its source, do not. Its reports, too, have all resources.
PLACES = lambda do |vardir|
  next [] if Puppet.version.start_with?('7.')

  [*%w[codedir rundir logdir publicdir].flat_map { |name| ["--#{name}", File.join(vardir, name)] }, '--no-exclude_unchanged_resources']
end

def run(words, vardir, folder, bin, facts, records, etc, before, remembers, after)
  system('/bin/sh', '-c', before) if before
  FileUtils.rm_f(File.join(vardir, 'state', 'last_run_report.yaml'))
  Tempfile.create do |out|
    Tempfile.create do |err|
      pid = fork do
        $stdout.reopen(out.path)
        $stderr.reopen(err.path)
        Puppet.runtime[:facter] = KnownFacts.new(FACTS.merge(facts || {}))
        use_programs(bin) if bin
        remember_changes if remembers
        # It looks at facts and programs when it is loaded.
        load 'puppet/provider/service/upstart.rb' if facts && bin
        comm = File.join(folder, 'comm')
        use_first_process(comm) if File.exist?(comm)
        use_selinux(folder) if File.exist?(File.join(folder, 'selinux', 'mounts'))
        use_records(records, words[words.index('--modulepath') + 1]) if records
        Puppet::Util::CommandLine.new('puppet', ['apply', '--vardir', vardir, *PLACES.call(vardir), *words]).execute
      end
      Process.wait(pid)
      status = $?.exitstatus
      state = after ? { state: `#{after}` } : {}
      state.merge(
        status: status, out: File.read(out.path).scrub, err: File.read(err.path).scrub, resources: resources_of(vardir),
        tree: tree_of(folder).merge(etc ? entries_of(etc, %w[group gshadow passwd shadow]) : {})
      )
    end
  end
end

# Types that are named as arguments are loaded once, too, with providers that are suitable by the facts of the first job.
def load_types(names, facts)
  Puppet.runtime[:facter] = KnownFacts.new(FACTS.merge(facts || {}))
  names.each { |name| Puppet::Type.type(name.to_sym).providers }
end

jobs = JSON.parse($stdin.read)
prepare
load_types(ARGV, jobs.dig(0, 'facts')) unless ARGV.empty?
KEYS = %w[words vardir folder bin facts records etc before remembers after].freeze
puts JSON.generate(jobs.map { |job| run(*job.values_at(*KEYS)) })
