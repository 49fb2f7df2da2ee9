# Servers of this node by the services that they offer: Puppet's http/session.rb and http/service.rb.
module Puppet
  module HTTP
    class Service
      # The path of each service, and the settings with its server and port.
      SERVICES = {
        puppet: ['/puppet/v3', :server, :serverport], fileserver: ['/puppet/v3', :server, :serverport],
        report: ['/puppet/v3', :report_server, :report_port], ca: ['/puppet-ca/v1', :ca_server, :ca_port],
        puppetserver: ['/status/v1', :server, :serverport]
      }.freeze
      attr_reader :url

      def self.valid_name?(name) = SERVICES.key?(name)

      def self.url_for(name)
        path, host, port = SERVICES.fetch(name)
        URI::HTTPS.build(host: Puppet[host].to_s.empty? ? Puppet[:server] : Puppet[host], port: (Puppet[port] || Puppet[:serverport]).to_i, path: path)
      end

      def initialize(client, session, url)
        @client = client
        @session = session
        @url = url
      end

      def with_base_url(path) = @url.dup.tap { |made| made.path += Util.uri_encode(path) }
      def connect(ssl_context: nil) = @client.connect(@url, options: { ssl_context: ssl_context }.compact)

      # Requests a model. Raises ResponseError unless the request succeeds.
      def get_model(path, model, params: {})
        response = checked(@client.get(with_base_url(path), headers: { 'Accept' => model.respond_to?(:accepted) ? model.accepted : 'application/json, text/plain' }, params: params.compact))
        [response, model.convert_from(response['content-type'].to_s.sub(/;.*/, ''), response.body)]
      end

      def put_model(path, instance, params: {}, mime: instance.mime, text: instance.render)
        headers = { 'Accept' => 'application/json, text/plain', 'Content-Type' => mime }
        checked(@client.put(with_base_url(path), text, headers: headers, params: params.compact))
      end

      def get_node(name, environment:, **params) = get_model("/node/#{name}", Node, params: { environment: environment, **params })
      def get_facts(name, environment:) = get_model("/facts/#{name}", Node::Facts, params: { environment: environment })
      def put_facts(name, environment:, facts:) = put_model("/facts/#{name}", facts, params: { environment: environment })
      def get_catalog(name, environment:, **params) = get_model("/catalog/#{name}", Resource::Catalog, params: { environment: environment, **params })
      def put_report(name, report, environment:) = put_model("/report/#{name}", report, params: { environment: environment })

      def checked(response)
        raise ResponseError, response unless response.success?

        response
      end
    end

    class Session
      def initialize(client) = @client = client

      def route_to(name, url: nil, **)
        raise ArgumentError, "Unknown service #{name}" unless Service.valid_name?(name)

        Service.new(@client, self, url || Service.url_for(name))
      end
    end

    class Client
      def create_session = Session.new(self)
    end
  end

  class << self
    alias plumb_lookup lookup

    def lookup(name, &) = name == :http_session ? runtime[:http].create_session : plumb_lookup(name, &)
  end
end
