# Termini that send requests to the servers of this node.
module Puppet
  module Indirector
    class REST < Terminus
      %i[find head search save destroy].each { |name| define_method(name) { |_request| raise NotImplementedError } }

      def validate_key(_request) = nil

      private

      def session = Puppet.lookup(:http_session)

      # Runs a request; a missing model is nil unless the caller wants an error.
      def finding(request)
        yield
      rescue HTTP::ResponseError => error
        raise convert_to_http_error(error.response) unless error.response.code == 404
        return nil unless request.options[:fail_on_404]

        raise Puppet::Error, "Find #{elide(error.response.url.path, 100)} resulted in 404 with the message: #{parse_response(error.response).last}"
      end

      def saving
        yield
      rescue HTTP::ResponseError => error
        raise convert_to_http_error(error.response)
      end

      def convert_to_http_error(response)
        said = response.body.to_s.empty? && response.reason ? response.reason : response.body
        said = Util::Json.load(said)['message'] if response['content-type'].to_s.match?(%r{\A[^;]*[pj]son})
        Net::HTTPError.new("Error #{response.code} on SERVER: #{said}", response)
      end

      def parse_response(response)
        raise 'No content type in http response; cannot parse' unless response['content-type']

        [response['content-type'].sub(/\s*;.*\z/, ''), response.body]
      end

      def elide(text, length) = text.length <= length ? text : "#{text[0, length - 3]}..."
    end
  end

  class Node
    class Rest < Indirector::REST
      def find(request)
        more = request.options.slice(:configured_environment, :transaction_uuid)
        finding(request) { session.route_to(:puppet).get_node(request.key, environment: request.environment.to_s, **more).last }
      end
    end

    class Facts
      class Rest < Indirector::REST
        def find(request) = finding(request) { session.route_to(:puppet).get_facts(request.key, environment: request.environment.to_s).last }

        def save(request)
          raise ArgumentError, 'PUT does not accept options' unless request.options.empty?

          saving { session.route_to(:puppet).put_facts(request.key, facts: request.instance, environment: request.environment.to_s) }
          nil
        end
      end
    end
  end

  class Resource
    class Catalog
      class Rest < Indirector::REST
        def find(request)
          more = request.options.slice(:configured_environment, :check_environment, :transaction_uuid, :job_uuid)
          finding(request) { session.route_to(:puppet).get_catalog(request.key, environment: request.environment.to_s, **more).last }
        end
      end
    end
  end

  class Transaction
    class Report
      class Rest < Indirector::REST
        def save(request)
          response = session.route_to(:report).put_report(request.key, request.instance, environment: request.environment.to_s)
          Util::Json.load(response.body)
        rescue HTTP::ResponseError => error
          raise convert_to_http_error(error.response) unless error.response.code == 404
        end
      end
    end
  end
end
