#!/usr/bin/env ruby
# Report processors as a real Puppet server runs them. Reads an object of JSON:
#   {"report": the JSON of a report, or absent: then a run of real Puppet makes one, "confdir": path, "vardir": path, "certname": name,
#    "processors": {name: path of its file}}
# and prints {"report": …, "logs": {name: [[level, message]…]}}.
require 'json'
require 'tmpdir'
require 'puppet'

given = JSON.parse($stdin.read)

# A run of real Puppet: something changed, something failed, something was skipped, something is only noticed.
def made_report
  Dir.mktmpdir do |home|
    manifest = <<~PUPPET
      file { '#{home}/made': content => "a\nb: c", tag => ['noted', 'a::b'] }
      exec { '/bin/false': }
      -> notify { 'never': }
      exec { '/bin/true': noop => true }
      notify { 'héllo "world"': loglevel => 'warning' }
      warning('of the "compiler"')
    PUPPET
    words = %w[confdir vardir codedir rundir logdir publicdir].map { |name| "--#{name}=#{home}/#{name}" }
    words.push('--reports=store', "--reportdir=#{home}/reports", '--certname=a.test')
    system('puppet', 'apply', '-e', manifest, *words, out: File::NULL, err: File::NULL)
    Puppet::Transaction::Report.convert_from(:yaml, File.read(Dir["#{home}/reports/*/*.yaml"].fetch(0))).to_data_hash
  end
end

words = %w[codedir rundir logdir publicdir].map { |name| "--#{name}=#{given['vardir']}/#{name}" }
words.push("--confdir=#{given['confdir']}", "--vardir=#{given['vardir']}", "--certname=#{given['certname']}")
Puppet.settings.preferred_run_mode = :server
# The public way has the mode of a user.
Puppet.send(:do_initialize_settings_for_run_mode, :server, words, true, true, {})
Puppet::Util::Log.close_all
LINES = []
Puppet::Util::Log.newdesttype(:recorded) do
  match 'recorded'
  define_method(:handle) { |message| LINES << [message.level.to_s, message.message.to_s] }
end
Puppet::Util::Log.newdestination('recorded')
Puppet::Util::Log.level = :info

report = given['report'] || JSON.parse(JSON.generate(made_report))
logs = given['processors'].to_h do |name, path|
  LINES.clear
  begin
    load path
    newrep = Puppet::Transaction::Report.from_data_hash(JSON.parse(JSON.generate(report)))
    newrep.extend(Puppet::Reports.report(name))
    newrep.process
  rescue StandardError => detail
    LINES << ['err', "Report #{name} failed: #{detail}"]
  end
  [name, LINES.dup]
end
puts JSON.generate('report' => report, 'logs' => logs)
