# What modules of Puppet require, loaded once for all of them; and stand-ins for what WebAssembly cannot have.
$LOAD_PATH.replace(['/ruby/3.4.0', *Dir['/ruby/gems/*/gems/*/lib'].sort])
$LOADED_FEATURES.push('socket.rb', 'socket.so', 'io/wait.rb', 'io/wait.so', 'etc.rb')

class SocketError < StandardError; end

# Names only: nothing here can open a connection.
class Socket
  AF_UNSPEC = 0
  AF_INET = 2
  AF_INET6 = 10

  class ResolutionError < SocketError; end

  def self.gethostname
    raise SocketError, 'There is no network here'
  end
end

class IPSocket
  def self.getaddress(host)
    raise SocketError, "getaddrinfo: Name or service not known (#{host})"
  end
end

class TCPSocket < IPSocket
  def initialize(*)
    raise SocketError, 'There is no network here'
  end
  singleton_class.alias_method :open, :new
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
