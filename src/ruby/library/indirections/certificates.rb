# Certificates, their requests and revocation lists: on the CA server (`rest`) and among the files of this node (`file`).
require 'puppet/ssl/certificate'
require 'puppet/ssl/certificate_request'

module Puppet
  module SSL
    # A revocation list; there is one for all names.
    class CertificateRevocationList < Base
      wraps OpenSSL::X509::CRL
      def self.name_from_subject(_subject) = 'crl'
      def self.from_s(text) = from_instance(OpenSSL::X509::CRL.new(text), 'crl')
    end

    # A certificate, request or list travels as PEM.
    module AsText
      def self.included(model) = model.extend(ClassMethods)
      def render(_format = nil) = to_s
      def mime(_format = nil) = 'text/plain'

      module ClassMethods
        def supported_formats = %i[s]
        def convert_from(_format, text) = from_s(text)
      end
    end

    # The last part of the path below /puppet-ca/v1 is the name.
    class CertificateRest < Indirector::REST
      def find(request)
        finding(request) do
          service = session.route_to(:ca)
          response = service.get_model("/#{indirection.name}/#{request.key}", model).last
          response.tap { |made| made.name = request.key }
        end
      end

      def save(request)
        saving { session.route_to(:ca).put_model("/#{indirection.name}/#{request.key}", request.instance) }
        nil
      end
    end

    # One file for each name.
    class CertificateFiles < Indirector::Terminus
      def find(request)
        model.from_s(File.read(path(request.key))).tap { |made| made.name = request.key }
      rescue Errno::ENOENT
        nil
      end

      def head(request) = File.file?(path(request.key))
      def search(_request) = Dir.glob(path('*')).sort.map { |file| model.from_s(File.read(file)) }
      def save(request) = FileSystem.replace_file(path(request.key), 0o644) { |file| file.print(request.instance.to_s) }

      def destroy(request)
        File.unlink(path(request.key)).positive?
      rescue Errno::ENOENT
        false
      end

      private

      def path(name)
        raise ArgumentError, 'invalid key' if name.match?(Indirector::BadNameRegexp)

        "#{folder}/#{name}.pem"
      end
    end

    [Certificate, CertificateRequest, CertificateRevocationList].each do |model|
      model.extend(Indirector)
      model.indirects(Indirector.file_name(model.name.split('::').last), terminus_class: nil)
      model.include(AsText)
    end

    class Certificate
      class Rest < CertificateRest; end

      class File < CertificateFiles
        def folder = Puppet[:certdir]
      end
    end

    class CertificateRequest
      class Rest < CertificateRest; end

      class File < CertificateFiles
        def folder = Puppet[:requestdir]
      end
    end

    class CertificateRevocationList
      class Rest < CertificateRest; end

      class File < CertificateFiles
        def path(_name) = Puppet[:hostcrl]
      end
    end

    [Certificate, CertificateRequest, CertificateRevocationList].each { |model| model.indirection.terminus_class = :rest }
  end
end
