# The network of a server: pages are asked for by a thread of the host's, in place of a socket.
module Plumb
  module Outside
    # The host answers for whoever owns the server, who may ask anybody.
    def self.ask(kind, question)
      answer = JSON.parse(Node.ask('outside', kind, JSON.generate(question)))
      raise SocketError, answer['refused'] if answer.key?('refused')

      answer
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
        'body' => body && [body].pack('m0'), 'verify' => verify_mode != OpenSSL::SSL::VERIFY_NONE, 'ca_file' => ca_file,
        'seconds' => [(open_timeout || 60) + (read_timeout || 60), Timeout.remaining].compact.min
      )
    end
  end
end

require 'net/http'
Net::HTTP.prepend(Plumb::WholeQuestions)

module Puppet
  module HTTP
    class HTTPError < Puppet::Error; end
    class ConnectionError < HTTPError; end

    # An answer, as Puppet's own client gives it.
    class Response
      attr_reader :url

      def initialize(url, answer)
        @url = url
        @answer = answer
      end

      def code = @answer.code.to_i
      def reason = @answer.message
      def body = @answer.body
      def [](name) = @answer[name]
      def each_header(&) = @answer.each_header(&)
      def success? = @answer.is_a?(Net::HTTPSuccess)
    end

    # `Puppet.runtime[:http]`.
    class Client
      METHODS = { get: Net::HTTP::Get, head: Net::HTTP::Head, put: Net::HTTP::Put, post: Net::HTTP::Post, delete: Net::HTTP::Delete }.freeze

      METHODS.each do |name, kind|
        if %i[put post].include?(name)
          define_method(name) { |url, body, headers: {}, params: {}, options: {}| send_request(kind, url, body, headers, params, options) }
        else
          define_method(name) { |url, headers: {}, params: {}, options: {}| send_request(kind, url, nil, headers, params, options) }
        end
      end

      def close = nil

      private

      def send_request(kind, url, body, headers, params, options)
        url = URI(url.to_s)
        url.query = [url.query, *params.map { |name, value| "#{name}=#{Util.uri_query_encode(value.to_s)}" }].compact.join('&') unless params.empty?
        request = kind.new(url.request_uri, headers.to_h { |name, value| [name.to_s, value.to_s] })
        request.body = body.to_s if body
        login = options[:basic_auth] || (url.user && { user: url.user, password: url.password })
        request.basic_auth(login[:user], login[:password]) if login
        http = Net::HTTP.new(url.host, url.port)
        http.use_ssl = url.scheme == 'https'
        Response.new(url, http.start { |each| each.request(request) })
      rescue SocketError, SystemCallError, Timeout::Error, OpenSSL::SSL::SSLError => error
        raise ConnectionError.new("Request to #{url} failed: #{error.message}", error)
      end
    end
  end

  def self.runtime = { facter: Facter, http: @http_client ||= HTTP::Client.new }

  module Network
    # The older way, whose connections are Ruby's own.
    module HttpPool
      module_function

      def http_instance(host, port, use_ssl = true, verify = true)
        Net::HTTP.new(host, port).tap do |http|
          http.use_ssl = use_ssl
          http.verify_mode = verify ? OpenSSL::SSL::VERIFY_PEER : OpenSSL::SSL::VERIFY_NONE if use_ssl
        end
      end

      def http_ssl_instance(host, port, *) = http_instance(host, port, true)
      def connection(host, port, use_ssl: true, **) = http_instance(host, port, use_ssl)
    end
  end
end
