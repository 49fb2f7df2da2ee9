# Sockets of Ruby code on a node. A thread of the host opens the connections; this thread waits for its replies.
module Plumb
  module Outside
    class << self
      def sockets? = true

      def ask(kind, question)
        raise SocketError, 'Only DNS queries are answered here' unless kind == 'dns'

        Sockets.ask('dns', name: question['name'], type: question['type'], servers: question['servers'] || [])['value']
      end

      # Returns the addresses of a host from the system's resolver, which also reads /etc/hosts.
      def addresses(host, types = %w[A AAAA])
        return [IPAddr.new(host.to_s).to_s] if address?(host)

        Sockets.ask('resolve', host: host.to_s, family: { %w[A] => 4, %w[AAAA] => 6 }.fetch(types, 0))['value']
      end
    end
  end

  module Sockets
    # A Timeout limit with fewer seconds left than this counts as expired.
    MOMENT = 0.005

    module_function

    # Sends a request of `socket-messages.ts`. `subject` is in the message of a system error; `late` is raised after `seconds`.
    def ask(operation, seconds: nil, subject: nil, late: nil, **details)
      limit = [seconds, Timeout.remaining].compact.min
      request = { 'op' => operation, **details.compact.transform_keys(&:to_s) }
      request['timeMs'] = (limit * 1000).ceil if limit
      reply = Node.ask('socket', request)
      failure = reply['failure'] or return reply
      raise Timeout.current_error if failure['kind'] == 'timeout' && Timeout.remaining&.<(MOMENT)
      raise late if late && failure['kind'] == 'timeout'

      raise error(failure, subject)
    end

    # Ids of sockets whose Ruby objects were collected as garbage.
    LEFT = []
    def releaser(id) = proc { LEFT << id }

    # Closes the sockets in LEFT, then opens a socket. At the limit, collects garbage and tries once more.
    def open(operation, **details)
      tries ||= 0
      ask('close', id: LEFT.shift) until LEFT.empty?
      ask(operation, **details)['value']
    rescue Errno::EMFILE
      raise if (tries += 1) > 1

      GC.start
      retry
    end

    def error(failure, subject)
      message = failure['message']
      case failure['kind']
      when 'system' then Node.errno(failure['errno'], subject)
      when 'timeout' then Errno::ETIMEDOUT.new(*subject)
      when 'resolution' then Socket::ResolutionError.new("getaddrinfo(3): #{message}")
      when 'tls' then OpenSSL::SSL::SSLError.new("SSL_connect returned=1 errno=0 #{subject}state=error: #{message}")
      when 'closed' then IOError.new(message)
      else SocketError.new(message)
      end
    end

    # Limits in bytes: `piece` of one step, `body` of a response that Puppet's client keeps in memory.
    def limits = @limits ||= Node.ask('socket_limits')
    def piece = limits['piece']

    # Returns the sockets that can be read without waiting, after at most `seconds`. Closed sockets are readable.
    def readable(sockets, seconds)
      shaking = sockets.find { |each| each.to_io.before_reading? }
      return shaking.to_io.wait_readable(seconds) ? [shaking] : [] if shaking

      ready = sockets.select { |each| each.to_io.closed? || each.buffered? }
      return ready unless ready.empty?

      ids = ask('wait', ids: sockets.map { |each| each.to_io.id }, seconds: seconds)['value']
      sockets.select { |each| ids.include?(each.to_io.id) }
    end
  end

  # The methods of Ruby's IO and socket library. OpenSSL::Buffering reads lines and pieces.
  module Stream
    attr_reader :id
    attr_accessor :do_not_reverse_lookup, :timeout

    def opened(id)
      ObjectSpace.define_finalizer(self, Sockets.releaser(id))
      @id = id
      @eof = false
      @rbuffer = OpenSSL::Buffering::Buffer.new
      @sync = true
      self
    end

    def sysread(size = Sockets.piece, buffer = nil)
      given = received(size, seconds: @timeout)
      raise EOFError, 'end of file reached' if given.nil?

      buffer ? buffer.replace(given) : given
    end

    def sysread_nonblock(size, buffer = nil, exception: true)
      given = received(size, seconds: 0)
      if given == :wait_readable
        raise IO::EAGAINWaitReadable, 'read would block' if exception

        return given
      end
      if given.nil?
        raise EOFError, 'end of file reached' if exception

        return nil
      end
      buffer ? buffer.replace(given) : given
    end

    # Returns received bytes; nil at the end of the stream; `:wait_readable` if there are none and `seconds` is 0.
    def received(size, seconds:)
      return @ahead.slice!(0, size) if ahead?

      reply = Sockets.ask('read', id: open_id, size: Sockets.piece, seconds: seconds)
      if reply.key?('data')
        @ahead = reply['data'].unpack1('m0')
        return @ahead.bytesize > size ? @ahead.slice!(0, size) : @ahead.tap { @ahead = nil }
      end
      return nil if reply['value'] == 'end'
      return :wait_readable if seconds == 0

      raise Timeout.current_error if Timeout.remaining&.<(Sockets::MOMENT)

      raise timed_out
    end

    # True if bytes have been received that no caller has read.
    def ahead? = !@ahead.nil? && !@ahead.empty?

    # Discards bytes received before a TLS handshake, which must not count as data of the TLS connection.
    def discard_ahead = @ahead = nil

    def syswrite(text)
      bytes = text.to_s.b
      sent = 0
      while sent < bytes.bytesize
        sent += write_piece(bytes.byteslice(sent, Sockets.piece), seconds: @timeout)
      end
      sent
    end

    def syswrite_nonblock(text, exception: true)
      write_piece(text.to_s.b.byteslice(0, Sockets.piece), seconds: 0)
    rescue IO::EAGAINWaitWritable
      raise if exception

      :wait_writable
    end

    def write_piece(piece, seconds:)
      late = seconds == 0 ? IO::EAGAINWaitWritable.new('write would block') : timed_out
      Sockets.ask('write', id: open_id, data: [piece].pack('m0'), seconds: seconds, late: late)
      piece.bytesize
    end

    def send(text, _flags = 0, *) = syswrite(text)

    def recv(size, flags = 0, buffer = nil)
      raise NotImplementedError, 'MSG_PEEK cannot be used here' if flags & Socket::MSG_PEEK != 0

      readpartial(size, *buffer)
    rescue EOFError
      ''.b
    end

    def recv_nonblock(size, _flags = 0, buffer = nil, exception: true)
      read_nonblock(size, *buffer, exception: exception)
    rescue EOFError
      ''.b
    end

    def sysclose
      Sockets.ask('close', id: @id) if @id
      ObjectSpace.undefine_finalizer(self)
      @id = nil
    end

    def close
      sysclose
      nil
    end

    def shutdown(how = Socket::SHUT_RDWR)
      Sockets.ask('finish', id: open_id) unless [0, :RD, :SHUT_RD, 'RD', 'SHUT_RD'].include?(how)
      0
    end

    def close_write
      shutdown(Socket::SHUT_WR)
      nil
    end

    # Waits for bytes. Returns nil if none arrive in `seconds`.
    def wait_readable(seconds = nil)
      if @before_reading
        work, @before_reading = @before_reading, nil
        return work.call(seconds) && self
      end
      Sockets.readable([self], seconds).empty? ? nil : self
    end

    # Registers work for the next `wait_readable`: a TLS handshake, which thereby gets the caller's time limit.
    def before_reading(&work) = @before_reading = work

    def wait(*arguments)
      seconds = arguments.find { |each| each.is_a?(Float) || (each.is_a?(Integer) && arguments.size == 1) }
      wait_readable(seconds)
    end

    def before_reading? = !@before_reading.nil?
    def buffered? = !@rbuffer.empty? || ahead?
    def nread = @rbuffer.size + @ahead.to_s.bytesize
    def ready? = !Sockets.readable([self], 0).empty?
    def wait_writable(seconds = nil)
      late = Errno::ETIMEDOUT.new
      Sockets.ask('wait_writable', id: open_id, seconds: seconds, late: late)
      self
    rescue Errno::ETIMEDOUT => error
      raise unless error.equal?(late)

      nil
    end

    def <<(given)
      write(given.to_s)
      self
    end

    def each_line(*arguments, **options)
      return to_enum(:each_line, *arguments, **options) unless block_given?

      while (line = gets(*arguments, **options))
        yield line
      end
      self
    end
    alias each each_line

    def each_byte
      return to_enum(:each_byte) unless block_given?

      while (byte = getbyte)
        yield byte
      end
      self
    end

    def closed? = @id.nil?
    def close_read = nil
    def setsockopt(*) = 0
    def getsockopt(*) = raise(NotImplementedError, 'getsockopt() cannot be used here')
    def fcntl(*) = 0
    def fileno = raise(NotImplementedError, 'A socket has no file descriptor here')
    def to_io = self
    def binmode = self
    def tty? = false
    alias isatty tty?
    def autoclose? = true
    def autoclose=(given)
      given
    end
    def close_on_exec=(given)
      given
    end
    def set_encoding(*) = self
    def external_encoding = Encoding::BINARY
    def internal_encoding = nil
    def fsync = 0
    def nonblock? = false
    def nonblock=(given)
      given
    end
    def inspect = "#<#{self.class}#{':(closed)' if closed?}>"

    def local_address = addrinfo('local')
    def remote_address = addrinfo('remote')

    private

    def timed_out = IO::TimeoutError.new('Blocking operation timed out!')
    def open_id = @id || raise(IOError, 'closed stream')
    def addresses = Sockets.ask('addresses', id: open_id)['value']

    def addrinfo(side)
      address, port = addresses[side]
      Addrinfo.tcp(address, port)
    end
  end
end

class BasicSocket
  include OpenSSL::Buffering
  include Plumb::Stream

  class << self
    remove_method :new, :open

    def do_not_reverse_lookup = true
    def do_not_reverse_lookup=(given)
      given
    end
  end
end

class IPSocket
  def addr(*) = named('local')
  def peeraddr(*) = named('remote')

  private

  def named(side)
    address, port = addresses[side]
    [address.to_s.include?(':') ? 'AF_INET6' : 'AF_INET', port, address, address]
  end
end

class TCPSocket
  def initialize(host, port, local_host = nil, local_port = nil, connect_timeout: nil, **)
    host = host.to_s.empty? ? 'localhost' : host.to_s
    raise ArgumentError, 'string contains null byte' if host.include?("\0")

    details = { host: host, port: Plumb::Sockets.port(port), localHost: local_host, localPort: local_port&.to_i, seconds: connect_timeout }
    subject = "connect(2) for \"#{host}\" port #{port}"
    opened(Plumb::Sockets.open('connect', subject: subject, late: connect_timeout && IO::TimeoutError.new('Connect timed out!'), **details))
  end
end

class UNIXSocket
  attr_reader :path

  def initialize(path)
    @path = path
    opened(Plumb::Sockets.open('connect_unix', path: path, subject: "connect(2) for #{path}"))
  end

  def addr = ['AF_UNIX', '']
  def peeraddr = ['AF_UNIX', @path]
end

class Socket
  SHUT_RD = 0
  SHUT_WR = 1
  SHUT_RDWR = 2
  SOL_SOCKET = 1
  SO_REUSEADDR = 2
  SO_KEEPALIVE = 9
  SO_LINGER = 13
  SO_RCVTIMEO = 20
  SO_SNDTIMEO = 21
  TCP_NODELAY = 1
  TCP_KEEPIDLE = 4
  TCP_KEEPINTVL = 5
  TCP_KEEPCNT = 6
  SOMAXCONN = 4096
  INADDR_ANY = 0
  NI_NUMERICHOST = 1
  NI_NUMERICSERV = 2
  MSG_PEEK = 2
  MSG_DONTWAIT = 64

  module Constants
    Socket.constants(false).each { |name| const_set(name, Socket.const_get(name)) if Socket.const_get(name).is_a?(Integer) }
  end

  SERVICES = { 'http' => 80, 'https' => 443, 'ldap' => 389, 'ldaps' => 636, 'mysql' => 3306, 'postgresql' => 5432, 'ssh' => 22, 'smtp' => 25, 'domain' => 53 }.freeze

  # Returns the port of a service by its name.
  def self.getservbyname(name, _protocol = 'tcp') = SERVICES[name] || raise(SocketError, "no such service #{name}/tcp")

  # Creates a socket without a connection; `connect` opens it.
  def initialize(family, _type = SOCK_STREAM, _protocol = 0)
    @family = family
  end

  def connect(address)
    path, host, port = Plumb::Sockets.unpacked(address)
    return opened(Plumb::Sockets.open('connect_unix', path: path, subject: "connect(2) for #{path}")) && 0 if path

    opened(Plumb::Sockets.open('connect', host: host, port: port, subject: "connect(2) for #{host}:#{port}"))
    0
  end

  # Waits for the connection; the caller then finds the socket connected.
  def connect_nonblock(address, **)
    raise Errno::EISCONN if @id

    connect(address)
  end

  class << self
    def tcp(host, port, local_host = nil, local_port = nil, connect_timeout: nil, **, &)
      TCPSocket.open(host, port, local_host, local_port, connect_timeout: connect_timeout, &)
    end

    def unix(path, &) = UNIXSocket.open(path, &)

    def pack_sockaddr_in(port, host) = "in\0#{host}\0#{Plumb::Sockets.port(port)}"
    alias sockaddr_in pack_sockaddr_in
    def pack_sockaddr_un(path) = "un\0#{path}"
    alias sockaddr_un pack_sockaddr_un

    def unpack_sockaddr_in(address)
      _, host, port = Plumb::Sockets.unpacked(address)
      [port, host]
    end

    def ip_address_list = raise(NotImplementedError, 'Socket.ip_address_list cannot be used here; use the networking fact')
  end
end

class TCPServer
  def initialize(*) = raise(NotImplementedError, 'Servers cannot be started here')
end

class UDPSocket
  def initialize(*) = raise(NotImplementedError, 'UDP sockets cannot be opened here; use Resolv for DNS')
end

class Addrinfo
  def to_sockaddr = Socket.pack_sockaddr_in(ip_port, ip_address)
  alias to_s to_sockaddr
  def inspect_sockaddr = "#{ipv6? ? "[#{ip_address}]" : ip_address}:#{ip_port}"
  def connect(**, &) = Socket.tcp(ip_address, ip_port, &)
  def self.unix(path) = Socket.pack_sockaddr_un(path)
end

module Plumb
  module Sockets
    module_function

    # Returns the sockets in a list of streams.
    def among(streams) = [*streams].select { |each| each.is_a?(BasicSocket) || each.is_a?(OpenSSL::SSL::SSLSocket) }
    def port(given) = given.is_a?(String) && !given.match?(/\A\d+\z/) ? Socket.getservbyname(given) : given.to_i

    # Returns path, host and port of an address made by `Socket.pack_sockaddr_in` or `pack_sockaddr_un`.
    def unpacked(address)
      kind, first, port = (address.respond_to?(:to_sockaddr) ? address.to_sockaddr : address).split("\0")
      kind == 'un' ? [first, nil, nil] : [nil, first, port.to_i]
    end
  end
end

class IO
  class << self
    alias plumb_select select
    alias plumb_copy_stream copy_stream

    # Copies in pieces if one of the streams is a socket.
    def copy_stream(from, to, length = nil, offset = nil)
      return plumb_copy_stream(from, to, length, offset) if Plumb::Sockets.among([from, to]).empty?
      return File.open(from, 'rb') { |file| copy_stream(file, to, length, offset) } if from.is_a?(String)
      return File.open(to, 'wb') { |file| copy_stream(from, file, length, offset) } if to.is_a?(String)

      from.seek(offset) if offset
      copied = 0
      until copied == length
        to.write(from.readpartial([length && (length - copied), Plumb::Sockets.piece].compact.min))
          .then { |written| copied += written }
      end
      copied
    rescue EOFError
      copied
    end

    def select(readers = nil, writers = nil, errors = nil, seconds = nil)
      sockets = Plumb::Sockets.among(readers)
      return plumb_select(readers, writers, errors, seconds) if sockets.empty? && Plumb::Sockets.among(writers).empty?

      # Writers count as ready.
      ready = sockets.empty? ? [] : Plumb::Sockets.readable(sockets, [*writers].empty? ? seconds : 0)
      [ready, [*writers], []] unless ready.empty? && [*writers].empty?
    end
  end
end
$LOADED_FEATURES.push(*%w[io/nonblock].flat_map { |name| ["#{name}.rb", "#{name}.so"] })
