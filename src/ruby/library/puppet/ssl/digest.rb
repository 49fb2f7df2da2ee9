# The fingerprint of a certificate or request. Puppet's ssl/digest.rb.
module Puppet
  module SSL
    class Digest
      attr_reader :digest

      def initialize(algorithm, content) = @digest = OpenSSL::Digest.new(algorithm || 'SHA256', content)
      def to_s = "(#{name}) #{to_hex}"
      def to_hex = @digest.hexdigest.scan(/../).join(':').upcase
      def name = @digest.name.upcase
    end
  end
end
