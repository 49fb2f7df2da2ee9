# This process: the host's process, which Ruby runs in.
module Process
  class << self
    def pid = Plumb::Node.ask('identity')['pid']
    def ppid = Plumb::Node.ask('identity')['ppid']
    def uid = Plumb::Node.ask('identity')['uid']
    def euid = Plumb::Node.ask('identity')['euid']
    def gid = Plumb::Node.ask('identity')['gid']
    def egid = Plumb::Node.ask('identity')['egid']
    def groups = Plumb::Node.ask('identity')['groups']
    def setsid = 0
    def getpgid(_pid) = pid
    def daemon(*) = raise(NotImplementedError, 'daemon() cannot be used in a provider')

    def kill(signal, *pids)
      pids.each { |each| Plumb::Node.ask('kill', signal.to_s.delete_prefix('SIG'), each) }
      pids.size
    end

    # Who a process is does not change here; programs are started as another user.
    %i[uid euid gid egid].each { |name| define_method("#{name}=") { |given| given } }
    def initgroups(*) = groups
  end
end

class Socket
  def self.gethostname = Plumb::Node.ask('hostname')
end

RbConfig::CONFIG.dup.tap do |config|
  RbConfig.__send__(:remove_const, :CONFIG)
  RbConfig::CONFIG = config.merge('bindir' => '/usr/bin', 'ruby_install_name' => 'ruby', 'EXEEXT' => '').freeze
end

module RbConfig
  def self.ruby = '/usr/bin/ruby'
end
