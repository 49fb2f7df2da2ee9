# A node's machine: what is asked of it, and what of the prelude is for the compiling of catalogs only.
module Plumb
  module Node
    module_function

    # What the host does or knows; raises as Ruby's own Errno what goes wrong with it.
    def ask(name, *arguments)
      answer = Bridge.ask_at_once([name, *arguments.map { |each| Values.out(each) }])
      raise HostError.new(answer[1], answer[2], answer.drop(3)) unless answer[0] == 'ok'

      value = Values.in(answer[1])
      return value unless value.is_a?(Hash) && value.key?('errno')

      raise errno(value['errno'], value['path'])
    end

    def errno(name, subject)
      kind = Errno.const_defined?(name) ? Errno.const_get(name) : Errno::EIO
      subject.nil? ? kind.new : kind.new(subject)
    end
  end

  # Nothing of a call is remembered on a node: nobody wants to know what code does.
  module Notes
    %i[add spoil tell].each { |name| define_singleton_method(name) { |*| nil } }
    def self.take = []
  end

  module Handed
    def self.within = yield
    def self.out(*) = nil
  end

  module Verdict
    def self.moved = nil
  end

  module Loading
    def self.file(path) = Kernel.load(path)
  end
end

class Module
  private

  %i[method_added singleton_method_added const_added included prepended extended].each do |name|
    define_method(name) { |*| nil }
  end
  alias const_missing plumb_const_missing
  public :const_missing
end

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
