# A certificate. Puppet's ssl/certificate.rb.
require 'puppet/ssl/base'

module Puppet
  module SSL
    class Certificate < Base
      wraps OpenSSL::X509::Certificate

      def self.supported_formats = %i[s]

      def self.subject_alt_names_for(certificate)
        found = certificate.extensions.find { |each| each.oid == 'subjectAltName' }
        found ? found.value.split(/\s*,\s*/) : []
      end

      def subject_alt_names = self.class.subject_alt_names_for(content)
      def expiration = content&.not_after
      def unmunged_name = self.class.name_from_subject(content.subject)
    end
  end
end
