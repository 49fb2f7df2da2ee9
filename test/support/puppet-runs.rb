# Runs commands of real Puppet, each in a process that is forked from one which has loaded it: starting it takes seconds.
# Standard input: [[word of the command line…]…]; output: [{"exitCode", "stdout", "stderr"}…], as JSON.
# Facts take seconds too: they are gathered once. A command that begins with /bin/sh is run as it is.
require 'facter'
require 'json'
require 'puppet'
require 'puppet/util/command_line'
require 'tempfile'
require_relative 'known-facts'

facts = Facter.to_hash

answers = JSON.parse($stdin.read).map do |words|
  out, err = Tempfile.new('out'), Tempfile.new('err')
  child = fork do
    $stdout.reopen(out)
    $stderr.reopen(err)
    exec(*words) if words.first == '/bin/sh'
    Puppet.runtime[:facter] = KnownFacts.new(facts)
    Puppet::Util::CommandLine.new('puppet', words).execute
  end
  Process.wait(child)
  { exitCode: $?.exitstatus, stdout: File.read(out.path).scrub, stderr: File.read(err.path).scrub }
end
puts JSON.generate(answers)
