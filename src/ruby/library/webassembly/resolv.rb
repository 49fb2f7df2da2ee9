# Ruby's Resolv, whose questions the host asks.
require "/ruby/#{RbConfig::CONFIG['ruby_version']}/resolv.rb"

class Resolv
  # A compilation has no table of hosts.
  module NoHosts
    def lazy_initialize
      super
    rescue Errno::ENOENT
      self
    end
  end
  Hosts.prepend(NoHosts)

  class DNS
    # Names are as code says them: to complete them by the domains of this machine would make catalogs of it.
    module NoSearch
      def lazy_initialize
        @config_info = { search: [], **(@config_info || {}) } unless @config_info.is_a?(String)
        super
      end
    end
    Config.prepend(NoSearch)

    # Servers that nobody has named.
    OWN_SERVERS = ['0.0.0.0', Port].freeze

    # What Ruby makes of one record of a type.
    RECORDS = {
      'A' => ->(text) { Resource::IN::A.new(text) },
      'AAAA' => ->(text) { Resource::IN::AAAA.new(text) },
      'CNAME' => ->(text) { Resource::IN::CNAME.new(absolute(text)) },
      'NS' => ->(text) { Resource::IN::NS.new(absolute(text)) },
      'PTR' => ->(text) { Resource::IN::PTR.new(absolute(text)) },
      'MX' => ->(record) { Resource::IN::MX.new(record['preference'], absolute(record['exchange'])) },
      'TXT' => ->(strings) { Resource::IN::TXT.new(*strings.map { |each| each.encode(Encoding::ISO_8859_1).b.then { |bytes| text_of(bytes) } }) },
      'SRV' => ->(record) { Resource::IN::SRV.new(record['priority'], record['weight'], record['port'], absolute(record['target'])) },
      'SOA' => lambda do |record|
        numbers = record.values_at('serial', 'refresh', 'retry', 'expire', 'minimum')
        Resource::IN::SOA.new(absolute(record['mname']), absolute(record['rname']), *numbers)
      end
    }.freeze

    def self.absolute(text) = Name.create("#{text}.")

    def self.text_of(bytes)
      text = bytes.dup.force_encoding(Encoding::UTF_8)
      text.valid_encoding? ? text : bytes
    end

    def fetch_resource(name, typeclass)
      lazy_initialize
      type = typeclass.name[/\w+\z/]
      named = (@config.nameserver_port - [OWN_SERVERS]).map { |host, port| host.include?(':') ? "[#{host}]:#{port}" : "#{host}:#{port}" }
      @config.resolv(name) do |candidate, *|
        answer = Plumb::Outside.dns(candidate, type, named)
        raise Config::NXDomain, candidate.to_s if answer['absent']
        raise ResolvTimeout if answer['error'] == 'timeout'
        raise Config::OtherResolvError, candidate.to_s if answer['failure']

        reply = Message.new(0)
        answer['records'].each { |each| reply.add_answer(candidate, 0, RECORDS.fetch(type).call(each)) }
        yield reply, candidate
        return
      end
    end

    # Addresses are of both kinds, unless code says otherwise: what networks this machine has says nothing of the node.
    def use_ipv6?
      @config.lazy_initialize
      @config.use_ipv6? != false
    end
  end
end
