# Nothing of the machine's own is touched: files that providers take unless told otherwise are below the run's folder.
# Applies many manifests with real Puppet, each in a process that is forked from one which has loaded it: starting it takes
# seconds. Standard input: [{"arguments": [...], "folder": "DIR", "report": "PATH", "tree": "COMMAND"}]; output: status, output and report of each,
# and what the command prints after it, as JSON.
require 'facter'
require 'json'
require 'puppet'
require 'puppet/indirector/facts/facter'
require 'puppet/util/command_line'
require 'tempfile'

facts = Facter.to_hash
Puppet::Node::Facts::Facter.class_eval do
  define_method(:find) { |request| Puppet::Node::Facts.new(request.key, facts) }
end

# By type and provider; a file in /etc.
MOVED = {
  host: [:parsed, 'hosts'], mailalias: [:aliases, 'aliases'], sshkey: [:parsed, 'ssh/ssh_known_hosts'], mount: [:parsed, 'fstab']
}.freeze
$LOAD_PATH.unshift(*Dir["#{ARGV[0]}/*/lib"])
MOVED.each { |type, (provider, _)| Puppet::Type.type(type).provider(provider) }

answers = JSON.parse($stdin.read).map do |run|
  out, err = Tempfile.new('out'), Tempfile.new('err')
  child = fork do
    $stdout.reopen(out)
    $stderr.reopen(err)
    ENV['PATH'] = "#{run['folder']}/bin:#{ENV['PATH']}"
    MOVED.each do |type, (provider, file)|
      Puppet::Type.type(type).provider(provider).define_singleton_method(:default_target) { "#{run['folder']}/etc/#{file}" }
    end
    Puppet::Util::CommandLine.new('puppet', ['apply', *run['arguments']]).execute
  end
  Process.wait(child)
  report = File.exist?(run['report']) && Psych.unsafe_load(File.read(run['report'])).to_data_hash
  File.delete(run['report']) if report
  { status: $?.exitstatus, out: File.read(out.path).scrub, err: File.read(err.path).scrub, report: report || nil, tree: `#{run['tree']}`.scrub }
end
puts JSON.generate(answers)
