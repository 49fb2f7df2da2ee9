# The part of the gem aws-sdk-ssm that the module hiera_ssm_paramstore calls, over the server of $CLOUD_URL.
require 'json'
require 'net/http'
require 'ostruct'

module Aws
  module SSM
    module Errors
      class ServiceError < StandardError; end
    end

    class Client
      def initialize(region: nil); end

      def get_parameters(names:, with_decryption:)
        send_request('GetParameters', { Names: names, WithDecryption: with_decryption })
      end

      def get_parameters_by_path(path:, with_decryption:, recursive:, next_token:)
        body = { Path: path, WithDecryption: with_decryption, Recursive: recursive }
        body[:NextToken] = next_token if next_token
        send_request('GetParametersByPath', body)
      end

      private

      def send_request(operation, body)
        headers = { 'x-amz-target' => "AmazonSSM.#{operation}", 'authorization' => 'Credential=AKIAKEY/x' }
        response = Net::HTTP.post(URI("#{ENV.fetch('CLOUD_URL')}/"), body.to_json, headers)
        read = JSON.parse(response.body)
        raise Errors::ServiceError, read['message'] unless response.is_a?(Net::HTTPOK)

        parameters = read['Parameters'].map { |each| OpenStruct.new(name: each['Name'], value: each['Value']) }
        OpenStruct.new(parameters: parameters, next_token: read['NextToken'])
      end
    end
  end
end
