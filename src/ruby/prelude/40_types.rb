# Values that Ruby has no class for, as Puppet's Ruby sees them.
module Puppet
  # A reference to a resource, and with its parameters when it is in the catalog.
  class Resource
    attr_reader :type, :title, :exported, :virtual

    def self.type_and_title(type, title = nil)
      return [type.to_s, title.to_s] if title
      return [Regexp.last_match(1), Regexp.last_match(2)] if type.to_s =~ /\A([^\[\]]+)\[(.+)\]\z/m

      raise ArgumentError, "No title provided and #{type.inspect} is not a valid resource reference"
    end

    def initialize(type, title = nil, parameters: {}, **)
      type, title = self.class.type_and_title(type) if title.nil? && type.to_s.include?('[')
      @type = type.to_s.sub(/\A::/, '').split('::').map(&:capitalize).join('::')
      @title = @type == 'Class' && title ? title.to_s.sub(/\A::/, '').split('::').map(&:capitalize).join('::') : title
      @parameters = parameters.transform_keys(&:to_sym) unless parameters.empty?
    end

    def [](name)
      name.to_sym == :title ? @title : known[name.to_sym]
    end

    def []=(name, value)
      known[name.to_sym] = value
    end

    def to_hash = known.dup
    alias to_h to_hash
    alias parameters to_hash

    def each(&block) = to_hash.each(&block)
    def key?(name) = to_hash.key?(name.to_sym)
    alias has_key? key?
    def class? = @type == 'Class'
    def builtin_type? = !class?
    def name = @title
    def ref = "#{@type}[#{@title}]"
    alias to_s ref
    def inspect = ref
    def ==(other) = other.is_a?(Resource) && other.ref == ref
    alias eql? ==
    def hash = ref.hash

    private

    # As they are in the catalog, for a resource that is in it.
    def known
      @parameters ||= (Plumb::Bridge.ask('parameters', @type, @title) || {}).transform_keys(&:to_sym)
    end
  end

  module Pops
    module Types
      # A data type, by the text that says it; what it holds is asked of the host.
      class PAnyType
        attr_reader :text

        def initialize(text)
          @text = text
        end

        def to_s = @text
        def name = @text
        def simple_name = @text[/\A\w+/]
        def inspect = "#<#{self.class}: #{@text}>"
        def ==(other) = other.is_a?(PAnyType) && other.text == @text
        alias eql? ==
        def hash = @text.hash
        def instance?(value) = Plumb::Bridge.ask('instance', self, value)
        def ===(value) = instance?(value)
        def assignable?(other) = Plumb::Bridge.ask('assignable', self, other)
        def create(*values) = Plumb::Bridge.ask('call', 0, 'new', [self, *values])
        def to_alias_expanded_s = @text
      end

      %w[
        Array Hash String Integer Float Numeric Boolean Callable Struct Tuple Regexp Undef Default Timestamp Timespan
        Binary SemVer SemVerRange URI Enum Pattern Variant Optional NotUndef Scalar ScalarData Collection Iterable
        Iterator Sensitive Runtime Type Object TypeAlias TypeReference TypeSet Data RichData Init
      ].each { |kind| const_set(:"P#{kind}Type", Class.new(PAnyType)) }

      class PCatalogEntryType < PAnyType; end

      class PResourceType < PCatalogEntryType
        attr_reader :type_name, :title

        def initialize(text, type_name = nil, title = nil)
          super(text)
          @type_name = type_name
          @title = title
        end
      end

      class PClassType < PCatalogEntryType
        attr_reader :class_name

        def initialize(text, class_name = nil)
          super(text)
          @class_name = class_name
        end
      end

      PObjectTypeExtension = PObjectType
      PBooleanType::DEFAULT = PBooleanType.new('Boolean')
      PAnyType::DEFAULT = PAnyType.new('Any')
      PStringType::DEFAULT = PStringType.new('String')
      PIntegerType::DEFAULT = PIntegerType.new('Integer')
      PCallableType::DEFAULT = PCallableType.new('Callable')

      class PSensitiveType
        # A value that logs must not show.
        class Sensitive
          def initialize(value)
            @value = value
          end

          def unwrap = @value
          def to_s = 'Sensitive [value redacted]'
          def inspect = '#<Sensitive [value redacted]>'
          def ==(other) = other.is_a?(Sensitive) && other.unwrap == @value
          alias eql? ==
          def hash = @value.hash
        end
      end

      class PBinaryType
        class Binary
          attr_reader :binary_buffer

          def self.from_base64(text) = new(Base64.decode64(text))
          def self.from_binary_string(bytes) = new(bytes)

          def initialize(bytes)
            @binary_buffer = bytes.b
          end

          def to_s = Base64.strict_encode64(@binary_buffer)
          def length = @binary_buffer.bytesize
          def ==(other) = other.is_a?(Binary) && other.binary_buffer == @binary_buffer
          alias eql? ==
          def hash = @binary_buffer.hash
        end
      end

      module TypeFactory
        KINDS = Types.constants.grep(/\AP(\w+)Type\z/).to_h { |name| [name.to_s[/\AP(\w+)Type\z/, 1], Types.const_get(name)] }

        # The type of a kind; `details` are what identifies a reference.
        def self.made(text, kind, *details)
          type = KINDS.fetch(kind, PAnyType)
          type <= PCatalogEntryType ? type.new(text, *details) : type.new(text)
        end

        def self.method_missing(name, *)
          kind = name.to_s.split('_').map(&:capitalize).join
          KINDS.key?(kind) ? made(kind, kind) : super
        end

        def self.respond_to_missing?(name, *)
          KINDS.key?(name.to_s.split('_').map(&:capitalize).join)
        end
      end

      class TypeParser
        def self.singleton = @singleton ||= new
        def parse(text, *) = Plumb::Bridge.ask('type', text)
        def interpret(text, *) = parse(text)
      end

      class TypeCalculator
        def self.singleton = self
        def self.instance?(type, value) = Plumb::Bridge.ask('instance', type, value)
        def self.infer(value) = Plumb::Bridge.ask('infer', value)
        def self.infer_set(value) = Plumb::Bridge.ask('infer_set', value)
        def self.generalize(type) = Plumb::Bridge.ask('generalize', type)
        def self.assignable?(one, other) = Plumb::Bridge.ask('assignable', one, other)
        def self.iterable(value) = Iterable.on(value)
        def self.is_kind_of_callable?(type, *) = type.is_a?(PCallableType) || type.is_a?(PVariantType)
      end

      class TypeMismatchDescriber
        def self.singleton = @singleton ||= new
        def self.describe_mismatch(...) = singleton.describe_mismatch(...)
        def describe_mismatch(subject, expected, actual) = Plumb::Bridge.ask('describe_mismatch', subject.to_s, expected, actual)
      end

      class TypeAsserter
        def self.assert_instance_of(subject, expected, value, nil_ok = false)
          return value if (nil_ok && value.nil?) || expected.instance?(value)

          subject = yield if block_given?
          raise Puppet::Error, Plumb::Bridge.ask('mismatch', subject.to_s, expected, value)
        end
      end

      # What the iterating functions go over: elements, pairs, numbers up to one, characters.
      module Iterable
        class Walk
          include Enumerable

          def initialize(object)
            @hash_style = object.is_a?(Hash)
            @elements = object.is_a?(Integer) ? object.times.to_a : object.is_a?(String) ? object.chars : object
          end

          def hash_style? = @hash_style

          def each(&block)
            return to_enum unless block

            @elements.each(&block)
            self
          end

          def next
            @position = (@position || -1) + 1
            @list ||= @elements.to_a
            raise StopIteration if @position >= @list.size

            @list[@position]
          end
        end

        def self.on(object) = object.is_a?(Enumerable) || object.is_a?(Integer) || object.is_a?(String) ? Walk.new(object) : nil

        def self.asserted_iterable(caller, object, _infer = false)
          on(object) || raise(ArgumentError, "#{caller.class}(): wrong argument type (#{object.class}; is not Iterable.")
        end
      end
    end

    module Time
      # A point in time, or a length of it, in nanoseconds.
      class TimeData
        include Comparable
        attr_reader :nsecs

        def initialize(nsecs) = @nsecs = nsecs
        def <=>(other) = other.is_a?(self.class) ? nsecs <=> other.nsecs : to_f <=> other
        def to_i = @nsecs / 1_000_000_000
        def to_int = to_i
        def to_f = @nsecs / 1_000_000_000.0
        def to_s = Plumb::Bridge.ask('call', 0, 'String', [self])
        def format(pattern) = Plumb::Bridge.ask('call', 0, 'strftime', [self, pattern])
        def hash = @nsecs.hash
        def eql?(other) = other.class == self.class && other.nsecs == @nsecs
        def +(other) = self.class.new(@nsecs + (other.respond_to?(:nsecs) ? other.nsecs : (other * 1_000_000_000).to_i))
        def -(other) = self.class.new(@nsecs - (other.respond_to?(:nsecs) ? other.nsecs : (other * 1_000_000_000).to_i))
      end

      class Timestamp < TimeData
        def self.now = from_time(::Time.now)
        def self.from_time(time) = new(time.to_i * 1_000_000_000 + time.nsec)
        def time = ::Time.at(@nsecs / 1_000_000_000, @nsecs % 1_000_000_000, :nsec).utc
      end

      class Timespan < TimeData; end
    end

    module Serialization
      class ToDataConverter
        def self.convert(value, options = {}) = Plumb::Bridge.ask('to_data', value, options[:rich_data] == true)
      end
    end

    module Evaluator
      module Runtime3ResourceSupport
        def self.find_resource_type(scope, name) = scope.known_resource_types.definition(name)
        def self.find_hostclass(scope, name) = scope.known_resource_types.hostclass(name)
        def self.find_resource_type_or_class(scope, name) = find_resource_type(scope, name) || find_hostclass(scope, name)
        def self.find_main_class(scope) = find_hostclass(scope, '')
      end

      # A lambda of the manifest's.
      class PuppetProc < Proc
        def self.new(names, least, most, &block)
          made = super(&block)
          made.instance_variable_set(:@names, names)
          made.instance_variable_set(:@least, least)
          made.instance_variable_set(:@most, most)
          made
        end

        def lambda? = false

        def parameters
          @names.each_with_index.map do |name, index|
            kind = index < @least ? :req : @most == -1 && index == @names.size - 1 ? :rest : :opt
            [kind, name.to_sym]
          end
        end

        def arity = @most == @least ? @least : -(@least + 1)
        def closure = self
      end
    end

    module PuppetStack
      def self.stacktrace = Plumb::Bridge.ask('stack')
      def self.top_of_stack = stacktrace.first || []
    end
  end
end

module SemanticPuppet
  # A version by semver.org; what it compares as is asked of the host.
  class Version
    include Comparable
    attr_reader :major, :minor, :patch, :prerelease, :build

    PATTERN = /\A(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?\z/

    class ValidationFailure < ArgumentError; end

    def self.parse(text)
      found = PATTERN.match(text) or raise ValidationFailure, "Unable to parse '#{text}' as a semantic version identifier"
      new(*found[1..3].map(&:to_i), found[4]&.split('.'), found[5]&.split('.'))
    end

    def self.valid?(text) = PATTERN.match?(text)

    def initialize(major, minor, patch, prerelease = nil, build = nil)
      @major, @minor, @patch, @prerelease, @build = major, minor, patch, prerelease, build
    end

    def <=>(other)
      other.is_a?(Version) ? Plumb::Bridge.ask('compare_versions', to_s, other.to_s) : nil
    end

    def to_s
      "#{@major}.#{@minor}.#{@patch}#{"-#{@prerelease.join('.')}" if @prerelease}#{"+#{@build.join('.')}" if @build}"
    end

    def hash = to_s.hash
    def eql?(other) = other.is_a?(Version) && other.to_s == to_s
  end

  class VersionRange
    attr_reader :text

    def self.parse(text) = new(text)
    def initialize(text) = @text = text
    def to_s = @text
    def include?(version) = Plumb::Bridge.ask('version_in_range', @text, version.to_s)
    alias member? include?
    alias === include?
    def hash = @text.hash
    def ==(other) = other.is_a?(VersionRange) && other.text == @text
    alias eql? ==
  end
end
