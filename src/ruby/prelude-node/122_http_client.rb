# Puppet's HTTP client and the certificates that it uses, on top of Ruby's Net::HTTP. Puppet: http/, ssl/ssl_provider.rb.
module Puppet
  module SSL
    class SSLError < Puppet::Error; end
    class CertVerifyError < SSLError; end
    class CertMismatchError < SSLError; end

    # Trusted CAs, revocation lists, and the client certificate.
    class SSLContext
      attr_reader :store, :cacerts, :crls, :private_key, :client_cert, :client_chain, :revocation, :verify_peer

      def initialize(store:, cacerts: [], crls: [], private_key: nil, client_cert: nil, client_chain: [], revocation: false, verify_peer: true)
        @store, @cacerts, @crls, @private_key, @client_cert = store, cacerts, crls, private_key, client_cert
        @client_chain, @revocation, @verify_peer = client_chain, revocation, verify_peer
      end

      def [](name) = public_send(name)

      # Sets the certificates and the verification of a Net::HTTP.
      def secure(http)
        http.cert_store = store
        http.verify_mode = verify_peer ? OpenSSL::SSL::VERIFY_PEER : OpenSSL::SSL::VERIFY_NONE
        http.cert = client_cert
        http.key = private_key
      end
    end

    class SSLProvider
      def create_insecure_context = SSLContext.new(store: new_store([], [], false), verify_peer: false)

      def create_root_context(cacerts:, crls: [], revocation: Puppet[:certificate_revocation])
        SSLContext.new(store: new_store(cacerts, crls, revocation), cacerts: cacerts, crls: crls, revocation: revocation)
      end

      # Trusts the CAs of the system and the given ones. With `include_client_cert`, shows the certificate of this node.
      def create_system_context(cacerts:, path: Puppet[:ssl_trust_store], include_client_cert: false)
        store = new_store(cacerts, [], false)
        store.set_default_paths
        store.add_file(path) if path && File.file?(path) && File.size?(path)
        own = include_client_cert ? own_identity : {}
        SSLContext.new(store: store, cacerts: cacerts, **own)
      end

      def create_context(cacerts:, crls:, private_key:, client_cert:, revocation: Puppet[:certificate_revocation], include_system_store: false)
        raise SSLError, "The certificate for '#{client_cert.subject}' does not match its private key" unless client_cert.check_private_key(private_key)

        store = new_store(cacerts, crls, revocation)
        store.set_default_paths if include_system_store
        SSLContext.new(store: store, cacerts: cacerts, crls: crls, private_key: private_key, client_cert: client_cert, client_chain: [client_cert], revocation: revocation)
      end

      # Returns the context of an agent: Puppet's CA, its revocation lists, and the certificate of this node.
      def load_context(certname: Puppet[:certname], revocation: Puppet[:certificate_revocation], password: nil, include_system_store: false)
        certificates = X509::CertProvider.new
        revoked = revoking?(revocation) ? certificates.load_crls(required: true) : []
        create_context(
          cacerts: certificates.load_cacerts(required: true), crls: revoked, revocation: revocation, include_system_store: include_system_store,
          private_key: certificates.load_private_key(certname, required: true, password: password),
          client_cert: certificates.load_client_cert(certname, required: true)
        )
      end

      private

      def own_identity
        certificates = X509::CertProvider.new
        key = certificates.load_private_key(Puppet[:certname])
        Puppet.warning("Private key for '#{Puppet[:certname]}' does not exist") unless key
        certificate = certificates.load_client_cert(Puppet[:certname])
        Puppet.warning("Client certificate for '#{Puppet[:certname]}' does not exist") unless certificate
        key && certificate ? { private_key: key, client_cert: certificate, client_chain: [certificate] } : {}
      end

      def revoking?(revocation) = [true, :chain, :leaf, 'true', 'chain', 'leaf'].include?(revocation)

      def new_store(authorities, revoked, revocation)
        store = OpenSSL::X509::Store.new
        authorities.each { |each| store.add_cert(each) }
        return store unless revoking?(revocation)

        revoked.each { |each| store.add_crl(each) }
        leaf = OpenSSL::X509::V_FLAG_CRL_CHECK
        store.flags = revocation.to_s == 'leaf' ? leaf : leaf | OpenSSL::X509::V_FLAG_CRL_CHECK_ALL
        store
      end
    end
  end

  module X509
    # Reads the certificate files of this node.
    class CertProvider
      def load_cacerts(required: false) = blocks(:localcacert, required, 'The CA certificates are missing from') { |text| OpenSSL::X509::Certificate.new(text) }
      def load_crls(required: false) = blocks(:hostcrl, required, 'The CRL is missing from') { |text| OpenSSL::X509::CRL.new(text) }

      def load_private_key(name, required: false, password: nil)
        text = read(path(:privatekeydir, name), required, "The private key is missing from") or return nil
        OpenSSL::PKey.read(text, password || '')
      end

      def load_client_cert(name, required: false)
        text = read(path(:certdir, name), required, 'The client certificate is missing from') or return nil
        OpenSSL::X509::Certificate.new(text)
      end

      def load_private_key_password
        path = Puppet[:passfile]
        path && File.file?(path) ? File.read(path) : nil
      end

      private

      def path(folder, name)
        raise Puppet::Error, "Certname #{name.inspect} must not contain unprintable or non-ASCII characters" unless name.to_s.match?(/\A[ -.0-~]+\z/)

        File.join(Puppet[folder], "#{name.to_s.downcase}.pem")
      end

      def blocks(setting, required, missing)
        text = read(Puppet[setting], required, missing) or return nil
        text.scan(/-----BEGIN [A-Z0-9 ]+-----.*?-----END [A-Z0-9 ]+-----/m).map { |each| yield each }
      end

      def read(path, required, missing)
        return File.read(path) if path && File.file?(path)

        raise Puppet::Error, "#{missing} '#{path}'" if required
      end
    end
  end

  module HTTP
    class HTTPError < Puppet::Error; end
    class ConnectionError < HTTPError; end
    class RouteError < HTTPError; end
    class ProtocolError < HTTPError; end
    class SerializationError < HTTPError; end

    class ResponseError < HTTPError
      attr_reader :response

      def initialize(response)
        super(response.reason)
        @response = response
      end
    end

    class TooManyRedirects < HTTPError
      def initialize(url) = super("Too many HTTP redirections for #{url}")
    end

    class TooManyRetryAfters < HTTPError
      def initialize(url) = super("Too many HTTP retries for #{url}")
    end

    class Response
      attr_reader :url

      def initialize(url, answer)
        @url = url
        @answer = answer
      end

      def code = @answer.code.to_i
      def reason = @answer.message
      def [](name) = @answer[name]
      def each_header(&) = @answer.each_header(&)
      def success? = @answer.is_a?(Net::HTTPSuccess)
      def drain = body && true

      # Returns the whole body; nil for a response that cannot have one. Raises HTTPError above the limit.
      def body
        return @body if @body
        return @body = @answer.body if @answer.instance_variable_get(:@read) || !Plumb::Outside.sockets?

        most = Plumb::Sockets.limits['body']
        gathered = String.new
        found = @answer.read_body do |piece|
          gathered << piece
          raise HTTPError, "The response of #{@url} exceeds #{most} bytes" if gathered.bytesize > most
        end
        @body = found && gathered
      end

      def read_body(&block)
        raise ArgumentError, 'A block is required' unless block

        @answer.read_body(&block)
      end
    end
    ResponseNetHTTP = Response

    # `Puppet.runtime[:http]`.
    class Client
      REDIRECTS = [301, 302, 307].freeze
      BUSY = [429, 503].freeze

      def initialize(ssl_context: nil, system_ssl_context: nil, redirect_limit: 10, retry_limit: 100, **)
        @ssl_context = ssl_context
        @system_ssl_context = system_ssl_context
        @redirect_limit = redirect_limit
        @retry_limit = retry_limit
      end

      { get: :Get, head: :Head, delete: :Delete }.each do |name, kind|
        define_method(name) do |url, headers: {}, params: {}, options: {}, &block|
          execute(Net::HTTP.const_get(kind).new(with_query(url, params), default_headers.merge(headers)), options, &block)
        end
      end

      { put: :Put, post: :Post }.each do |name, kind|
        define_method(name) do |url, body, headers: {}, params: {}, options: {}, &block|
          raise ArgumentError, "'#{name}' requires a string 'body' argument" unless body.is_a?(String)

          request = Net::HTTP.const_get(kind).new(with_query(url, params), default_headers.merge(headers))
          request.body = body
          request.content_length = body.bytesize
          raise ArgumentError, "'#{name}' requires a 'content-type' header" unless request['Content-Type']

          execute(request, options, &block)
        end
      end

      # Opens a connection for a block.
      def connect(uri, options: {})
        start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        connected = false
        connection(uri, options).start do |http|
          connected = true
          yield http if block_given?
        end
      rescue Net::OpenTimeout => error
        failed("Request to #{uri} timed out connect operation after #{elapsed(start)} seconds", error, connected)
      rescue Net::ReadTimeout => error
        failed("Request to #{uri} timed out read operation after #{elapsed(start)} seconds", error, connected)
      rescue EOFError => error
        failed("Request to #{uri} interrupted after #{elapsed(start)} seconds", error, connected)
      rescue HTTPError, SSL::SSLError
        raise
      rescue StandardError => error
        failed("Request to #{uri} failed after #{elapsed(start)} seconds: #{error.message}", error, connected)
      end

      def default_ssl_context = SSL::SSLProvider.new.load_context

      def close
        @ssl_context = @system_ssl_context = nil
      end

      private

      def default_headers = { 'X-Puppet-Version' => Puppet.version, 'User-Agent' => user_agent }

      def user_agent
        given = Puppet[:http_user_agent].to_s
        given.empty? ? "Puppet/#{Puppet.version} Ruby/#{RUBY_VERSION}" : given
      end

      def connection(uri, options)
        http = Net::HTTP.new(uri.hostname, uri.port, *proxy_for(uri))
        http.open_timeout = seconds(:http_connect_timeout)
        http.read_timeout = seconds(:http_read_timeout)
        http.use_ssl = uri.scheme == 'https'
        context_of(options)&.secure(http) if http.use_ssl?
        http
      end

      # Returns the proxy of the settings; otherwise Net::HTTP reads the environment.
      def proxy_for(uri)
        host = Puppet[:http_proxy_host].to_s
        return [] if ['', 'none'].include?(host)
        return [nil] if Puppet[:no_proxy].to_s.split(/\s*,\s*/).any? { |name| name == '*' || ".#{uri.hostname}".end_with?(".#{name.delete_prefix('*').delete_prefix('.')}") }

        [host, Puppet[:http_proxy_port].to_i, *[Puppet[:http_proxy_user], Puppet[:http_proxy_password]].map { |each| ['', 'none'].include?(each.to_s) ? nil : each }]
      end

      def seconds(name)
        given = Puppet[name]
        given.nil? ? nil : given.to_f
      end

      # Returns nil on a server, where the host chooses the trusted CAs.
      def context_of(options)
        return nil unless Plumb::Outside.sockets?

        given = options[:ssl_context]
        return given || @ssl_context || Puppet.lookup(:ssl_context) unless options[:include_system_store]

        raise HTTPError, 'The ssl_context and include_system_store parameters are mutually exclusive' if given

        @system_ssl_context ||= SSL::SSLProvider.new.create_system_context(cacerts: X509::CertProvider.new.load_cacerts || [], include_client_cert: true)
      end

      def execute(request, options)
        login = options[:basic_auth] || (request.uri.user && request.uri.password && { user: request.uri.user, password: request.uri.password })
        request.basic_auth(login[:user], login[:password]) if login
        redirects = retries = 0
        loop do
          response = interval = nil
          following = nil
          connect(request.uri, options: options) do |http|
            http.request(request) do |answer|
              response = Response.new(request.uri, answer)
              Puppet.debug("HTTP #{request.method.upcase} #{request.uri} returned #{response.code} #{response.reason}")
              if REDIRECTS.include?(response.code)
                following = redirected(request, response, redirects, options)
              elsif (interval = interval_after(request, response, retries)).nil?
                block_given? ? yield(response) : response.body
              end
              response.drain
            end
          end
          return response unless following || interval

          if following
            request = following
            redirects += 1
          else
            retries += 1
            Puppet.warning("Sleeping for #{interval} seconds before retrying the request")
            sleep(interval)
          end
        end
      end

      def redirected(request, response, redirects, options)
        raise TooManyRedirects, request.uri if redirects >= (options[:redirect_limit] || @redirect_limit)

        location = URI.parse(response['location'] || raise(ProtocolError, 'Location response header is missing'))
        url = request.uri.merge(location)
        raise ProtocolError, "Location URI is invalid: #{location}" unless url.is_a?(URI::HTTP)

        request.class.new(url).tap do |following|
          following.body = request.body
          request.each { |name, value| following[name] = value unless secret?(name) && !same_origin?(request.uri, url) }
          following['Host'] = url.port == url.default_port ? url.host : "#{url.host}:#{url.port}"
        end
      rescue URI::InvalidURIError => error
        raise ProtocolError.new("Location URI is invalid: #{error.message}", error)
      end

      # True for a header with credentials, which a redirect to another host must not contain. Puppet only drops two.
      def secret?(name) = name.match?(/\A(?:authorization|cookie|.*-token|.*-auth.*|.*api-?key.*)\z/i)
      def same_origin?(one, other) = one.host.casecmp?(other.host) && one.port == other.port && (one.scheme == other.scheme || other.scheme == 'https')

      def interval_after(request, response, retries)
        return nil unless BUSY.include?(response.code) && (given = response['Retry-After'])

        raise TooManyRetryAfters, request.uri if retries >= @retry_limit

        longest = (Puppet[:runinterval] || 1800).to_i
        wait = given.match?(/\A\d+\z/) ? given.to_i : (Time.httpdate(given) - Time.now).to_i
        wait.clamp(0, longest)
      rescue ArgumentError
        raise ProtocolError, "Failed to parse Retry-After header '#{given}' as an integer or RFC 2822 date"
      end

      def with_query(url, params)
        url = URI(url.to_s) unless url.is_a?(URI)
        return url if params.empty?

        pairs = params.flat_map { |name, value| Array(value).map { |each| [name, each] } }
        url.dup.tap { |copy| copy.query = pairs.map { |name, value| "#{name}=#{Util.uri_query_encode(query_value(value))}" }.join('&') }
      end

      def query_value(value)
        return value.to_s if [true, false].include?(value) || [String, Symbol, Integer, Float].any? { |kind| value.is_a?(kind) }

        raise SerializationError, "HTTP REST queries cannot handle values of type '#{value.class}'"
      end

      def elapsed(start) = (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start).round(3)
      def failed(message, cause, connected) = raise((connected ? HTTPError : ConnectionError).new(message, cause))
    end
    ExternalClient = Client
  end

  class << self
    def runtime = { facter: Facter, http: @http_client ||= HTTP::Client.new }
  end

  module Network
    # The older API; its connections are Net::HTTP objects.
    module HttpPool
      module_function

      def http_instance(host, port, use_ssl = true, verify = true)
        Net::HTTP.new(host, port).tap do |http|
          http.use_ssl = use_ssl
          next unless use_ssl

          http.verify_mode = verify ? OpenSSL::SSL::VERIFY_PEER : OpenSSL::SSL::VERIFY_NONE
          Puppet.lookup(:ssl_context).secure(http) if verify && Plumb::Outside.sockets?
        end
      end

      def http_ssl_instance(host, port, *) = http_instance(host, port, true)

      def connection(host, port, use_ssl: true, ssl_context: nil, **)
        Net::HTTP.new(host, port).tap do |http|
          http.use_ssl = use_ssl
          ssl_context&.secure(http) if use_ssl
        end
      end
    end
  end
end
$LOADED_FEATURES.push(*%w[puppet/http puppet/http/client puppet/http/external_client puppet/http/response puppet/http/response_net_http puppet/network puppet/network/http_pool puppet/ssl puppet/ssl/ssl_provider puppet/ssl/ssl_context puppet/x509 puppet/x509/cert_provider].map { |name| "#{name}.rb" })
