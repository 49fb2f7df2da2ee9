# What modules of Puppet require, loaded once for all of them; and stand-ins for what WebAssembly cannot have.
$LOAD_PATH.replace(['/ruby/3.4.0', *Dir['/ruby/gems/*/gems/*/lib'].sort])
$LOADED_FEATURES.push(*%w[socket io/wait etc rbconfig rubygems].flat_map { |name| ["#{name}.rb", "#{name}.so"] })

# What modules ask of the machine that Ruby was built for.
module RbConfig
  CONFIG = { 'host_os' => 'linux-gnu', 'target_os' => 'linux', 'ruby_version' => '3.4.0' }.freeze
end

class SocketError < StandardError; end

# Names and addresses only: nothing here can open a connection, or ask for a name.
class BasicSocket < IO
  NO_NETWORK = 'There is no network while a catalog is compiled'

  def self.new(*, **) = raise(SocketError, NO_NETWORK)
  singleton_class.alias_method :open, :new
end

class Socket < BasicSocket
  AF_UNSPEC = PF_UNSPEC = 0
  AF_UNIX = PF_UNIX = 1
  AF_INET = PF_INET = 2
  AF_INET6 = PF_INET6 = 10
  SOCK_STREAM = 1
  SOCK_DGRAM = 2

  class ResolutionError < SocketError; end

  %i[gethostname gethostbyname getaddrinfo getifaddrs ip_address_list tcp udp unix tcp_server_sockets].each do |name|
    define_singleton_method(name) { |*, **| raise SocketError, NO_NETWORK }
  end
end

class IPSocket < BasicSocket
  # An address is its own; a name cannot be asked for.
  def self.getaddress(host)
    IPAddr.new(host).to_s
  rescue IPAddr::Error
    raise SocketError, "getaddrinfo: Name or service not known (#{host}): #{NO_NETWORK}"
  end
end

class TCPSocket < IPSocket
  def self.gethostbyname(*) = raise(SocketError, NO_NETWORK)
end

class TCPServer < TCPSocket; end
class UDPSocket < IPSocket; end
class UNIXSocket < BasicSocket; end

# Users and groups are the node's, and not known here.
module Etc
  %i[getpwnam getgrnam].each do |name|
    define_singleton_method(name) { |given| raise ArgumentError, "can't find #{name[3..] == 'pwnam' ? 'user' : 'group'} for #{given}" }
  end
  %i[getpwuid getgrgid].each do |name|
    define_singleton_method(name) { |given = 0| raise ArgumentError, "can't find #{name[3..] == 'pwuid' ? 'user' : 'group'} for #{given}" }
  end
end

%w[
  json erb set time date digest digest/md5 digest/sha1 digest/sha2 ipaddr stringio strscan uri pathname forwardable
  delegate securerandom shellwords yaml base64 singleton ostruct tempfile fileutils cgi openssl monitor timeout open3
].each { |library| require library }

$stdout.sync = true

# There are no threads: the time limit is on the whole call, outside.
module Timeout
  def self.timeout(seconds = nil, _error = nil, _message = nil)
    yield seconds
  end
end

# There are no programs either. WebAssembly's own answers would be wrong ones: `system` says that it went well.
module Kernel
  def system(*command, **)
    raise Errno::EPERM, "programs cannot be run while a catalog is compiled: #{command.join(' ')}"
  end

  alias spawn system
  alias exec system
  alias ` system

  def fork
    raise NotImplementedError, 'fork() cannot be used while a catalog is compiled'
  end

  module_function :system, :spawn, :exec, :`, :fork
end

class IO
  def self.popen(*command, **)
    Kernel.system(*command)
  end
end

# What begins with a pipe is a program.
module Kernel
  alias plumb_open open

  def open(path, ...)
    return system(path.delete_prefix('|')) if path.is_a?(String) && path.start_with?('|')

    plumb_open(path, ...)
  end
  module_function :open
end

module Process
  def self.spawn(*command, **)
    Kernel.system(*command)
  end
end
