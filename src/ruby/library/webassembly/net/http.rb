# Ruby's Net::HTTP, whose pages the host reads.
require "/ruby/#{RbConfig::CONFIG['ruby_version']}/net/http.rb"
return if Plumb::Outside.sockets?

module Net
  class HTTP
    # What Ruby raises where there is no page.
    FAILURES = {
      'refused' => ->(text) { Errno::ECONNREFUSED.new(text) },
      'reset' => ->(text) { Errno::ECONNRESET.new(text) },
      'timeout' => ->(text) { ReadTimeout.new.tap { |error| error.define_singleton_method(:message) { "Net::ReadTimeout: #{text}" } } },
      'tls' => ->(text) { OpenSSL::SSL::SSLError.new(text) }
    }.freeze

    private

    # Nothing is connected before it is known what is asked for.
    def connect
      @socket = BufferedIO.new(StringIO.new)
      on_connect
    end

    def transport_request(request)
      answer = Plumb::Outside.ask('http', asked(request))
      raise FAILURES.fetch(answer['error'], SocketError.method(:new)).call(failed(answer['failure'])) if answer['failure']

      io = BufferedIO.new(StringIO.new(message(answer)))
      response = HTTPResponse.read_new(io)
      response.body_encoding = @response_body_encoding
      response.uri = request.uri
      response.reading_body(io, request.response_body_permitted?) { yield response if block_given? }
      response
    end

    def asked(request)
      raise SocketError, 'HTTP requests during catalog compilation cannot use a proxy' if proxy?

      host = address.include?(':') && !address.start_with?('[') ? "[#{address}]" : address
      headers = request.to_hash.flat_map { |name, values| values.map { |value| [name, value] } }
      # Ruby's own, which say nothing.
      headers -= [%w[accept */*], %w[user-agent Ruby]]
      { 'url' => "#{use_ssl? ? 'https' : 'http'}://#{host}:#{port}#{request.path}", 'method' => request.method, 'headers' => headers }
    end

    def failed(why) = "Failed to open TCP connection to #{address}:#{port} (#{why})"

    # The answer as it would come over the wire.
    def message(answer)
      body = answer.key?('base64') ? answer['base64'].unpack1('m0') : answer['body'].b
      lines = ["HTTP/1.1 #{answer['status']} #{answer['reason']}", *answer['headers'].map { |name, value| "#{name}: #{value}" }]
      lines << "content-length: #{body.bytesize}"
      lines.join("\r\n").b << "\r\n\r\n".b << body
    end
  end
end
