# What modules of Puppet require, loaded once for all of them; and stand-ins for what WebAssembly cannot have.
$LOAD_PATH.replace(['/ruby/3.4.0', *Dir['/ruby/gems/*/gems/*/lib'].sort])
$LOADED_FEATURES.push('socket.rb', 'socket.so', 'io/wait.rb', 'io/wait.so', 'etc.rb')

class SocketError < StandardError; end

# Names only: nothing here can open a connection.
class Socket
  AF_UNSPEC = 0
  AF_INET = 2
  AF_INET6 = 10
end

class IPSocket
  def self.getaddress(host)
    raise SocketError, "getaddrinfo: Name or service not known (#{host})"
  end
end

%w[
  json erb set time date digest digest/md5 digest/sha1 digest/sha2 ipaddr stringio strscan uri pathname forwardable
  delegate securerandom shellwords yaml base64 singleton ostruct tempfile fileutils cgi openssl monitor timeout open3
].each { |library| require library }

# There are no threads: the time limit is on the whole call, outside.
module Timeout
  def self.timeout(_seconds = nil, _error = nil, _message = nil)
    yield _seconds
  end
end
