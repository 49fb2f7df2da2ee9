# The base class of models that wrap an object of OpenSSL. Puppet's ssl/base.rb.
require 'puppet/ssl/digest'

module Puppet
  module SSL
    class Base
      SEPARATOR = "\n---\n"
      VALID_CERTNAME = /\A[ -.0-~]+\Z/
      ALGORITHMS = Regexp.union(/ripemd160/i, /md[245]/i, /sha\d*/i)

      class << self
        def wraps(klass) = @wrapped_class = klass
        def wrapped_class = @wrapped_class || raise(Puppet::DevError, "#{self} has not declared what class it wraps")
        def from_multiple_s(text) = text.split(SEPARATOR).map { |each| from_s(each) }
        def to_multiple_s(instances) = instances.map(&:to_s).join(SEPARATOR)
        def name_from_subject(subject) = ((subject.to_a.assoc('CN') || [])[1] if subject.respond_to?(:to_a))
        def from_s(text, name = nil) = from_instance(wrapped_class.new(text), name)

        def validate_certname(name)
          raise "Certname #{name.inspect} must not contain unprintable or non-ASCII characters" unless name.match?(VALID_CERTNAME)
        end

        def from_instance(instance, name = nil)
          unless instance.is_a?(wrapped_class)
            raise ArgumentError, "Object must be an instance of #{wrapped_class}, #{instance.class} given"
          end
          if name.nil? && !instance.respond_to?(:subject)
            raise ArgumentError, 'Name must be supplied if it cannot be determined from the instance'
          end

          new(name || name_from_subject(instance.subject)).tap { |made| made.content = instance }
        end
      end

      attr_accessor :name, :content

      def initialize(name)
        @name = name.to_s.downcase
        self.class.validate_certname(@name)
      end

      def generate = raise(Puppet::DevError, "#{self.class} did not override 'generate'")
      def read(path) = @content = wrapped_class.new(File.read(path))
      def to_s = content ? content.to_pem : ''
      def to_data_hash = to_s
      def to_text = content ? content.to_text : ''
      def fingerprint(algorithm = :SHA256) = digest(algorithm.to_s.upcase).to_hex
      def digest(algorithm = nil) = Digest.new(algorithm || digest_algorithm, content.to_der)

      def digest_algorithm
        found = ALGORITHMS.match(content.signature_algorithm)
        found ? found[0].downcase : raise(Puppet::Error, "Unknown signature algorithm '#{content.signature_algorithm}'")
      end

      private

      def wrapped_class = self.class.wrapped_class
    end
  end
end
