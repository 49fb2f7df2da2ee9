# Facts that use all of Facter's API; a test compares what comes of them with Facter's.
Facter.add(:simple) { setcode { 'v' } }
Facter.add(:cmd) { setcode 'echo hi; echo there' }
Facter.add(:cmd2) { setcode '/bin/echo two' }
Facter.add('MixedCase') { setcode { Facter.value(:kernel) + Facter.value('os.family') + Facter.value('os')['name'] } }
Facter.add(:agg, type: :aggregate) do
  chunk(:one) { { a: 1, 'b' => [1] } }
  chunk(:two, require: :one) { |one| { c: one[:a] + 1, 'b' => [2] } }
end
Facter.add(:agg2, type: :aggregate) do
  chunk(:one) { 1 }
  chunk(:two) { 2 }
  aggregate { |c| c[:one] + c[:two] }
end
Facter.add(:aggbad, type: :aggregate) { chunk(:one) { 1 }; chunk(:two) { 'x' } }
Facter.add(:conf1) { confine kernel: 'linux'; setcode { 1 } }
Facter.add(:conf1) { setcode { 0 } }
Facter.add(:conf2) { confine kernel: %w[x Linux], 'os.family' => :Debian; setcode { 2 } }
Facter.add(:conf3) { confine(:kernel) { |v| v == 'linux' }; setcode { 3 } }
Facter.add(:conf4) { confine { raise 'no' }; setcode { 4 } }
Facter.add(:conf5) { confine os: { 'family' => 'x' }; setcode { 5 } }
Facter.add(:conf6) { confine kernel: /^lin/; setcode { 6 } }
Facter.add(:conf7) { confine processorcount: 1..100; setcode { 7 } }
Facter.add(:conf9) { confine nosuchfact: true; setcode { 9 } }
Facter.add(:weight) { has_weight 5; setcode { 'heavy' } }
Facter.add(:weight, weight: 10) { setcode { 'heavier' } }
Facter.add(:raising) { setcode { raise 'oops' } }
Facter.add(:raising) { setcode { 'second' } }
Facter.add(:timing_out, timeout: 1) { setcode { sleep 3; 1 } }
Facter.add(:timing_cmd, timeout: 1) { setcode { Facter::Core::Execution.execute('sleep 5') ; 1 } }
Facter.add(:sym) { setcode { :symbol } }
Facter.add(:time) { setcode { Time.at(0).utc } }
Facter.add(:obj) { setcode { Object } }
Facter.add(:nilv) { setcode { nil } }
Facter.add(:falsev) { setcode { false } }
Facter.add(:val, value: 'direct')
Facter.add(:kernel) { setcode { 'Mine' } }
Facter.add(:kernelrelease) { has_weight 100; setcode { 'MineToo' } }
Facter.add(:fl) { setcode { 1.0 } }
Facter.add(:big) { setcode { 2**70 } }
Facter.add(:exec_missing) { setcode { Facter::Core::Execution.execute('nosuchcommand_x') } }
Facter.add(:exec_missing2) { setcode { Facter::Core::Execution.exec('nosuchcommand_x').inspect } }
Facter.add(:exec_fail) { setcode { Facter::Core::Execution.execute('false', on_fail: 'f').inspect } }
Facter.add(:exec_env) { setcode { Facter::Core::Execution.with_env('FOO' => 'bar') { Facter::Core::Execution.execute('echo $FOO $LANG') } } }
Facter.add(:exec_opt) { setcode { Facter::Core::Execution.execute('echo x', bogus: 1) } }
Facter.add(:which) { setcode { [Facter::Core::Execution.which('ls'), Facter::Util::Resolution.which('nosuch'), Facter::Util::Resolution.exec('uname -s')] } }
Facter.add(:other) { setcode { Facter.value(:later) } }
Facter.add(:dotted_query) { setcode { [Facter.value('agg.c'), Facter.value('processors.models.0').class.to_s, Facter.fact(:agg).value, Facter[:nosuch].inspect, Facter.value(:ext)] } }
Facter.add('my.dotted') { setcode { 1 } }
Facter.add(:selfrec) { setcode { Facter.value(:selfrec) } }
Facter.add(:ext) { setcode { 'ruby' } }
Facter.add(:flushed) { on_flush { $f = 2 }; setcode { $f ||= 1 } }
Facter.warn('a warning'); Facter.warnonce('once'); Facter.warnonce('once'); Facter.debug('dbg')
Facter.log_exception(StandardError.new('an exc')); Facter.log_exception(StandardError.new('x'), 'with msg')
Facter.define_fact(:defined) { define_resolution(:r1) { setcode { 'd1' } }; define_resolution(:r2) { has_weight 3; setcode { 'd2' } } }
Facter.add(:ver) { setcode { Facter.version.class.to_s } }
Facter.add(:legacy) { setcode { [Facter.value(:osfamily), Facter.value(:ipaddress_lo), Facter.value(:fqdn)] } }
Facter.add(:tohash) { setcode { Facter.to_hash['os']['name'] } }
Facter.add(:utf) { setcode { "käse" } }
