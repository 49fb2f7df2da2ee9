# Sockets of a Ruby that can open none. Names of hosts are asked for by the host, where its settings let it.
class SocketError < StandardError; end

module Plumb
  # What code asks of the world outside: DNS and pages. The answers are inputs of the catalog.
  module Outside
    module_function

    # Whether code can open sockets: on a node only.
    def sockets? = false

    # Raises where the settings do not let it be asked, or there is nobody to ask.
    def ask(kind, question)
      answer = Bridge.ask('outside', kind, question)
      raise SocketError, answer ? answer['refused'] : BasicSocket::NO_NETWORK if answer.nil? || answer.key?('refused')

      answer
    end

    def dns(name, type, servers = [])
      ask('dns', { 'name' => name.to_s, 'type' => type, **(servers.empty? ? {} : { 'servers' => servers }) })
    end

    # Addresses of a host, IPv4 first, whatever networks this machine has; an address is its own.
    def addresses(host, types = %w[A AAAA])
      return [IPAddr.new(host.to_s).to_s] if address?(host)

      answers = types.map { |type| dns(host, type) }
      found = answers.flat_map { |answer| answer['records'] || [] }
      return found unless found.empty?

      failure = answers.filter_map { |answer| answer['failure'] }.first
      raise Socket::ResolutionError, "getaddrinfo: #{failure ? 'Temporary failure in name resolution' : 'Name or service not known'}"
    end

    def address?(host)
      IPAddr.new(host.to_s) && true
    rescue IPAddr::Error
      false
    end

    # Names of an address.
    def names(address)
      dns(IPAddr.new(address).reverse, 'PTR')['records'] || []
    end
  end
end

class BasicSocket < IO
  NO_NETWORK = 'Network access is disabled during catalog compilation: sockets cannot be opened'

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
  SOCK_RAW = 3
  IPPROTO_TCP = 6
  IPPROTO_UDP = 17

  class ResolutionError < SocketError; end

  %i[gethostname getifaddrs ip_address_list tcp udp unix tcp_server_sockets].each do |name|
    define_singleton_method(name) { |*, **| raise SocketError, self::NO_NETWORK }
  end

  FAMILIES = { AF_INET => 'AF_INET', AF_INET6 => 'AF_INET6' }.freeze
  # Protocols by type of socket, in the order of the C library.
  PROTOCOLS = { SOCK_STREAM => IPPROTO_TCP, SOCK_DGRAM => IPPROTO_UDP, SOCK_RAW => 0 }.freeze

  class << self
    def getaddrinfo(host, service, family = nil, type = nil, *)
      wanted = numbered(family, 'AF_')
      types = numbered(type, 'SOCK_').then { |each| each == 0 ? PROTOCOLS.keys : [each] }
      Plumb::Outside.addresses(host, record_types(wanted)).flat_map do |address|
        types.map { |each| [FAMILIES[family_of(address)], service.to_i, address, address, family_of(address), each, PROTOCOLS[each] || 0] }
      end
    end

    def gethostbyname(name)
      addresses = Plumb::Outside.addresses(name)
      alike = addresses.select { |each| family_of(each) == family_of(addresses.first) }
      [name, [], family_of(alike.first), *alike.map { |each| IPAddr.new(each).hton }]
    end

    def gethostbyaddr(packed, _family = nil)
      address = IPAddr.new_ntoh(packed).to_s
      name, *aliases = Plumb::Outside.names(address)
      raise SocketError, 'host not found' unless name

      [name, aliases, family_of(address), packed]
    end

    def getnameinfo(socket_address, *)
      _, port, *hosts = socket_address
      address = hosts.compact.last
      [Plumb::Outside.names(address).first || address, port.to_s]
    end

    def family_of(address) = address.include?(':') ? AF_INET6 : AF_INET

    def numbered(given, prefix)
      return given.to_i unless given.is_a?(String) || given.is_a?(Symbol)

      const_get(given.to_s.start_with?(prefix) ? given : "#{prefix}#{given}")
    end

    def record_types(family) = { AF_INET => %w[A], AF_INET6 => %w[AAAA] }.fetch(family, %w[A AAAA])
  end
  private_class_method :numbered, :record_types
end

class IPSocket < BasicSocket
  def self.getaddress(host) = Plumb::Outside.addresses(host).first
end

class TCPSocket < IPSocket
  def self.gethostbyname(name)
    _, _, family, *packed = Socket.gethostbyname(name)
    [name, [], family, *packed.map { |each| IPAddr.new_ntoh(each).to_s }]
  end
end

class TCPServer < TCPSocket; end
class UDPSocket < IPSocket; end
class UNIXSocket < BasicSocket; end

# An address of a host, as it was found.
class Addrinfo
  attr_reader :ip_address, :ip_port, :afamily, :socktype, :protocol

  def initialize(_family, port, _host, address, afamily, socktype, protocol)
    @ip_address = address
    @ip_port = port
    @afamily = afamily
    @socktype = socktype
    @protocol = protocol
  end

  alias pfamily afamily

  class << self
    def getaddrinfo(host, service = nil, family = nil, type = nil, *, **)
      Socket.getaddrinfo(host, service, family, type).map { |each| new(*each) }
    end

    def tcp(host, service) = getaddrinfo(host, service, nil, Socket::SOCK_STREAM).first
    def udp(host, service) = getaddrinfo(host, service, nil, Socket::SOCK_DGRAM).first
    def ip(host) = tcp(host, 0)
  end

  def ip? = true
  def ipv4? = afamily == Socket::AF_INET
  def ipv6? = afamily == Socket::AF_INET6
  def ip_unpack = [ip_address, ip_port]

  def getnameinfo(*) = Socket.getnameinfo([nil, ip_port, nil, ip_address])
  def ipv4_private? = ipv4? && IPAddr.new(ip_address).private?
  def ipv4_loopback? = ipv4? && IPAddr.new(ip_address).loopback?
  def ipv6_loopback? = ipv6? && IPAddr.new(ip_address).loopback?
  def ipv6_linklocal? = ipv6? && IPAddr.new(ip_address).link_local?
end

# Puppet has loaded these when code of modules runs; here whoever names them does.
autoload :Resolv, 'resolv'

module Net
  autoload :HTTP, 'net/http'
end
