# A certificate request. Puppet's ssl/certificate_request.rb.
require 'puppet/ssl/base'

module Puppet
  module SSL
    class CertificateRequest < Base
      wraps OpenSSL::X509::Request

      def self.supported_formats = %i[s]

      # Creates and signs the request for a key.
      def generate(key, options = {})
        made = OpenSSL::X509::Request.new
        made.version = 0
        made.subject = OpenSSL::X509::Name.new([['CN', name]])
        made.public_key = key.is_a?(OpenSSL::PKey::EC) ? key : key.public_key
        made.add_attribute(extension_request(options[:dns_alt_names])) if options[:dns_alt_names]
        made.sign(key, OpenSSL::Digest.new('SHA256'))
        raise Puppet::Error, "CSR sign verification failed; you need to clean the certificate request for #{name} on the server" unless made.verify(made.public_key)

        @content = made
      end

      private

      def extension_request(names)
        listed = [name, *names.split(/\s*,\s*/)].uniq.sort.map { |each| each.match?(/\A(?:DNS|IP):/) ? each : "DNS:#{each}" }
        extension = OpenSSL::X509::ExtensionFactory.new.create_extension('subjectAltName', listed.join(', '), false)
        OpenSSL::X509::Attribute.new('extReq', OpenSSL::ASN1::Set([OpenSSL::ASN1::Sequence([extension])]))
      end
    end
  end
end
