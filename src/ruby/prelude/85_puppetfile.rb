# The words of a Puppetfile, as r10k has them (module_loader/puppetfile/dsl.rb), noted as plain data. What they mean, and what
# is wrong with them, the host says.
module Plumb
  module Puppetfiles
    # The environment that the Puppetfile is of, as far as Puppetfiles ask r10k for it.
    Environment = Struct.new(:name, :ref, :dirname, :path, :basedir)

    # Notes what a Puppetfile says, in the order of its lines.
    class Librarian
      attr_reader :environment, :basedir, :puppetfile_path, :notes
      attr_accessor :moduledir

      def initialize(path, environment, branch, most)
        @puppetfile_path = path
        @basedir = File.dirname(path)
        @moduledir = File.join(@basedir, 'modules')
        @environment = Environment.new(environment, branch, environment, @basedir, File.dirname(@basedir))
        @most = most
        @notes = []
      end

      def environment_name = @environment.name

      def note(word, *values)
        raise ArgumentError, "it exceeds #{@most} declarations" if @notes.size >= @most

        line = caller_locations.find { |place| place.path == @puppetfile_path }&.lineno || 1
        @notes << [word, line, *values.map { |value| Puppetfiles.plain(value) }]
        nil
      end
    end

    # What a Puppetfile is evaluated in.
    class Words
      def initialize(librarian)
        @librarian = librarian
      end

      def mod(name, args = nil)
        @librarian.note('mod', name, args)
      end

      def forge(location)
        @librarian.note('forge', location)
      end

      def moduledir(location)
        @librarian.moduledir = File.expand_path(location.to_s, @librarian.basedir)
        @librarian.note('moduledir', location)
      end

      def method_missing(method, *)
        raise NoMethodError, "unrecognized declaration '#{method}'"
      end

      def respond_to_missing?(*) = false
    end

    module_function

    # A value as JSON can have it: a symbol, a hash and all that is no text keep their kind.
    def plain(value)
      case value
      when String then text(value)
      when Symbol then ['symbol', text(value.to_s)]
      when true, false, nil, Integer then value
      when Hash then ['hash', value.map { |key, each| [plain(key), each.is_a?(Hash) ? ['hash', nil] : plain(each)] }]
      else ['other', text(value.class.to_s)]
      end
    end

    def text(value)
      String.new(value, encoding: value.encoding).encode(Encoding::UTF_8, invalid: :replace, undef: :replace).scrub
    end

    # Notes of a Puppetfile as JSON.
    def read(text, path, environment, branch, most)
      librarian = Librarian.new(path, environment, branch, most)
      Words.new(librarian).instance_eval(text, path)
      JSON.generate(librarian.notes)
    end
  end
end
