# TLS connections of Ruby code on a node. The host's thread encrypts; OpenSSL in this interpreter verifies certificates.
module OpenSSL
  module X509
    class Store
      %i[add_file add_path add_cert].each { |name| alias_method name, :"plumb_#{name}" }

      # CA bundles of Linux distributions. OpenSSL in this interpreter has no default paths.
      BUNDLES = %w[/etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem].freeze

      # Defers the reading of the bundle to the first verification.
      def set_default_paths
        @plumb_defaults = true
        self
      end

      def plumb_read_defaults
        return self unless @plumb_defaults

        @plumb_defaults = false
        bundle = [*ENV['SSL_CERT_FILE'], *BUNDLES].find { |path| File.file?(path) }
        add_file(bundle) if bundle
        add_path(ENV['SSL_CERT_DIR']) if ENV['SSL_CERT_DIR']
        self
      end

      alias plumb_verify verify
      def verify(...) = plumb_read_defaults.plumb_verify(...)
    end

    module ReadDefaults
      def initialize(store, ...) = super(store.plumb_read_defaults, ...)
    end
    StoreContext.prepend(ReadDefaults)
  end

  module SSL
    OP_ALL = 0x80000050
    OP_NO_SSLv2 = 0
    OP_NO_SSLv3 = 0x02000000
    OP_NO_TLSv1 = 0x04000000
    OP_NO_TLSv1_1 = 0x10000000
    OP_NO_TLSv1_2 = 0x08000000
    OP_NO_TLSv1_3 = 0x20000000
    OP_NO_COMPRESSION = 0x00020000
    OP_NO_TICKET = 0x00004000
    OP_NO_RENEGOTIATION = 0x40000000
    OP_IGNORE_UNEXPECTED_EOF = 0x80
    OP_DONT_INSERT_EMPTY_FRAGMENTS = 0x00000800
    OP_CIPHER_SERVER_PREFERENCE = 0x00400000
    OP_SINGLE_DH_USE = OP_SINGLE_ECDH_USE = 0
    OP_LEGACY_SERVER_CONNECT = 0x4
    SSL2_VERSION = 0x0002
    SSL3_VERSION = 0x0300

    class SSLErrorWaitReadable < SSLError
      include IO::WaitReadable
    end

    class SSLErrorWaitWritable < SSLError
      include IO::WaitWritable
    end

    # Exists for code that names it; sessions are not resumed.
    class Session; end

    class SSLContext
      SESSION_CACHE_OFF = 0
      SESSION_CACHE_CLIENT = 1
      SESSION_CACHE_SERVER = 2
      SESSION_CACHE_BOTH = 3
      SESSION_CACHE_NO_INTERNAL_STORE = 0x200
      attr_accessor :cert, :key, :client_ca, :ca_file, :ca_path, :timeout, :verify_mode, :verify_depth, :verify_callback, :verify_hostname,
                    :cert_store, :extra_chain_cert, :client_cert_cb, :session_id_context, :session_get_cb, :session_new_cb, :session_remove_cb,
                    :renegotiation_cb, :servername_cb, :alpn_protocols, :alpn_select_cb, :options, :security_level, :session_cache_mode,
                    :session_cache_size, :tmp_dh_callback, :npn_protocols, :npn_select_cb, :keylog_cb
      attr_reader :ciphers, :ciphersuites

      def options = @options || 0

      def ciphers=(list)
        @ciphers = list.is_a?(Array) ? list.map { |each| Array(each).first }.join(':') : list
      end

      def ciphersuites=(list)
        @ciphersuites = list.is_a?(Array) ? list.map { |each| Array(each).first }.join(':') : list
      end

      def add_certificate(certificate, key, chain = nil)
        @cert, @key, @extra_chain_cert = certificate, key, chain
        self
      end

      def ecdh_curves=(list)
        list
      end
      alias groups= ecdh_curves=

      def flush_sessions(*) = self
      def setup = nil
      def verifies? = !@verify_mode.nil? && @verify_mode & VERIFY_PEER != 0

      # Returns the TlsRequest of `socket-messages.ts`.
      def plumb_request(host)
        {
          'host' => host, 'cert' => plumb_chain, 'key' => key&.then { |each| each.respond_to?(:private_to_pem) ? each.private_to_pem : each.to_pem },
          'minVersion' => plumb_name(plumb_versions.min), 'maxVersion' => plumb_name(plumb_versions.max),
          'ciphers' => [@ciphersuites, @ciphers].compact.join(':').then { |text| text.empty? ? nil : text }, 'protocols' => alpn_protocols || []
        }.compact
      end

      # Returns the store with the CAs that this context trusts.
      def plumb_store
        @plumb_store ||= (cert_store || X509::Store.new).tap do |store|
          store.add_file(ca_file) if ca_file
          store.add_path(ca_path) if ca_path
        end
      end

      private

      FORBIDDEN = { OP_NO_TLSv1 => TLS1_VERSION, OP_NO_TLSv1_1 => TLS1_1_VERSION, OP_NO_TLSv1_2 => TLS1_2_VERSION, OP_NO_TLSv1_3 => TLS1_3_VERSION }.freeze
      private_constant :FORBIDDEN

      def set_minmax_proto_version(least, most)
        @plumb_min, @plumb_max = [least, most].map { |each| each.nil? || each.is_a?(Integer) ? each : plumb_number(each) }
      end

      def plumb_number(name)
        { 'SSL3' => SSL3_VERSION, 'TLS1' => TLS1_VERSION, 'TLS1_1' => TLS1_1_VERSION, 'TLS1_2' => TLS1_2_VERSION, 'TLS1_3' => TLS1_3_VERSION }
          .fetch(name.to_s.sub('TLSv', 'TLS').tr('.', '_')) { raise ArgumentError, "unrecognized version #{name.inspect}" }
      end

      # Returns the TLS versions that the limits and the options allow.
      def plumb_versions
        allowed = FORBIDDEN.values.select { |each| each >= (@plumb_min || 0) && (@plumb_max.to_i.zero? || each <= @plumb_max) }
        allowed.reject! { |each| options & FORBIDDEN.key(each) != 0 }
        raise SSLError, 'SSL_connect returned=1 errno=0 state=error: no protocols available' if allowed.empty?

        allowed
      end

      def plumb_name(number) = { TLS1_VERSION => 'TLSv1', TLS1_1_VERSION => 'TLSv1.1', TLS1_2_VERSION => 'TLSv1.2', TLS1_3_VERSION => 'TLSv1.3' }.fetch(number)
      def plumb_chain = cert && [cert, *extra_chain_cert].map(&:to_pem).join("\n")
    end

    class SSLSocket
      attr_reader :plumb_details

      def initialize(io, context = SSLContext.new)
        @io = io
        @context = context
        @sync_close = false
        context.setup
        super()
      end

      def hostname=(name)
        @hostname = name
      end

      def connect(seconds = nil)
        return self if @plumb_details

        subject = "peeraddr=#{@io.respond_to?(:peeraddr) ? plumb_peer : '(null)'} "
        late = Net.const_defined?(:OpenTimeout) ? Net::OpenTimeout.new('execution expired') : Errno::ETIMEDOUT.new
        reply = Plumb::Sockets.ask('tls', id: @io.id, tls: @context.plumb_request(@hostname), seconds: seconds, subject: subject, late: late)
        @plumb_details = reply['value']
        @io.discard_ahead
        plumb_check_server(subject)
        self
      end

      # The handshake runs in the caller's `wait_readable`, within its time limit.
      def connect_nonblock(exception: true)
        return connect if exception || @plumb_details

        @io.before_reading do |seconds|
          connect(seconds)
        rescue Net::OpenTimeout
          nil
        end
        :wait_readable
      end

      def accept(*) = raise(NotImplementedError, 'Servers cannot be started here')
      alias accept_nonblock accept

      def sysread(...) = plumb_io.sysread(...)
      def syswrite(text) = plumb_io.syswrite(text)

      def peer_cert = plumb_certificates.first
      def peer_cert_chain = plumb_certificates.empty? ? nil : plumb_certificates
      def cert = @context.cert
      def ssl_version = plumb_details&.fetch('version')
      def cipher = plumb_details && [plumb_details['cipher'], plumb_details['cipher_version'], 0, 0]
      def alpn_protocol = plumb_details&.fetch('alpn')
      def npn_protocol = nil
      def verify_result = @plumb_result || X509::V_OK
      def state = plumb_details ? 'SSLOK ' : 'PINIT '
      def pending = 0
      def session = nil
      def session_reused? = false
      def session=(given)
        given
      end
      def client_ca = nil
      def tmp_key = nil
      def buffered? = !@rbuffer.empty? || @io.ahead?
      def wait_readable(seconds = nil) = buffered? ? self : (@io.wait_readable(seconds) && self)
      def wait_writable(_seconds = nil) = self
      def local_address = @io.local_address
      def remote_address = @io.remote_address
      def timeout = @io.timeout
      def timeout=(seconds)
        @io.timeout = seconds
      end

      private

      def sysread_nonblock(...) = plumb_io.sysread_nonblock(...)
      def syswrite_nonblock(...) = plumb_io.syswrite_nonblock(...)

      # Returns the connection. Raises SSLError before the handshake, so that no plain text is sent.
      def plumb_io = plumb_details ? @io : raise(SSLError, 'SSL session is not started yet')
      def stop = nil

      def plumb_peer
        _, port, _, address = @io.peeraddr
        "#{address}:#{port}"
      end

      def plumb_certificates
        @plumb_certificates ||= (plumb_details || {}).fetch('certificates', []).map { |text| X509::Certificate.new(text.unpack1('m0')) }
      end

      # Verifies the server after the handshake, before any data is sent.
      def plumb_check_server(subject)
        problem = plumb_chain_problem || plumb_name_problem
        return unless problem && @context.verifies?

        @plumb_details = nil
        @io.close
        raise SSLError, "SSL_connect returned=1 errno=0 #{subject}state=error: certificate verify failed (#{problem})"
      end

      def plumb_chain_problem
        own, *others = plumb_certificates
        return 'no certificate' unless own

        check = plumb_check(own, others)
        check.purpose = X509::PURPOSE_SSL_SERVER
        trusted = check.verify
        @plumb_result = check.error
        return check.error_string unless trusted
        return 'certificate chain too long' if @context.verify_depth && check.chain.size - 2 > @context.verify_depth

        plumb_weakness(check.chain)
      end

      # Passes the callback to the check, and restores the store, which other connections may share.
      def plumb_check(own, others, store = @context.plumb_store)
        before = store.verify_callback
        store.verify_callback = @context.verify_callback if @context.verify_callback
        X509::StoreContext.new(store, own, others)
      ensure
        store.verify_callback = before
      end

      # Returns why OpenSSL rejects a chain at the security level of the context (default 2, as on Debian).
      def plumb_weakness(chain)
        level = @context.security_level || 2
        return nil unless level.positive?

        return 'CA signature digest algorithm too weak' if chain[0..-2].any? { |each| each.signature_algorithm.match?(/\A(?:md\d|sha1)|SHA1\z/i) }

        at = chain.index { |each| plumb_weak_key?(each.public_key, level) }
        at && (at.zero? ? 'EE certificate key too weak' : 'CA certificate key too weak')
      end

      def plumb_weak_key?(key, level) = key.is_a?(OpenSSL::PKey::RSA) && key.n.num_bits < (level > 1 ? 2048 : 1024)

      def plumb_name_problem
        'hostname mismatch' if @context.verify_hostname && @hostname && !SSL.verify_certificate_identity(peer_cert, @hostname)
      end
    end
  end
end
load "/ruby/#{RbConfig::CONFIG['ruby_version']}/openssl/ssl.rb"
