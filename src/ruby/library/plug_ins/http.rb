# The network of a server: pages are asked for by a thread of the host's, in place of a socket.
module Plumb
  module Outside
    def self.sockets? = false

    # The host answers for whoever owns the server, who may ask anybody.
    def self.ask(kind, question)
      answer = JSON.parse(Node.ask('outside', kind, JSON.generate(question)))
      raise SocketError, answer['refused'] if answer.key?('refused')

      answer
    end
  end

  # The certificates of a store, as text for the host.
  module KnownAuthorities
    def authorities = @authorities ||= []

    def add_file(path)
      authorities << File.read(path)
      super
    end

    def add_cert(certificate)
      authorities << certificate.to_pem
      super
    end
  end

  # What a page is asked for with besides its address: a body, authorities, times.
  module WholeQuestions
    private

    def asked(request)
      raise SocketError, 'Proxies are not supported here' if proxy?

      body = request.body || request.body_stream&.read
      request.content_type = 'application/x-www-form-urlencoded' if body && !request.content_type
      request['accept-encoding'] = 'identity'
      super.merge(
        'body' => body && [body].pack('m0'), 'verify' => verify_mode != OpenSSL::SSL::VERIFY_NONE, 'ca_file' => ca_file, 'authorities' => cert_store&.authorities || [],
        'seconds' => [(open_timeout || 60) + (read_timeout || 60), Timeout.remaining].compact.min
      )
    end
  end
end

require 'net/http'
Net::HTTP.prepend(Plumb::WholeQuestions)
OpenSSL::X509::Store.prepend(Plumb::KnownAuthorities)
