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

    def self.class_title(name) = name == 'main' ? name : name.delete_prefix('::').split('::').map(&:capitalize).join('::')

    def initialize(type, title = nil, parameters: {}, **)
      type, title = self.class.type_and_title(type) if title.nil? && type.to_s.include?('[')
      @type = type.to_s.sub(/\A::/, '').split('::').map(&:capitalize).join('::')
      @title = @type == 'Class' && title ? self.class.class_title(title.to_s) : title
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
      ].each { |kind| const_set(:"P#{kind}Type", Class.new(PAnyType)).const_set(:DEFAULT, const_get(:"P#{kind}Type").new(kind)) }

      class PCatalogEntryType < PAnyType; end

      class PResourceType < PCatalogEntryType
        attr_reader :type_name, :title

        def self.written(name, title) = "#{name ? name.split('::').map(&:capitalize).join('::') : 'Resource'}#{"[#{TypeFactory.written(title)}]" if title}"

        def initialize(type_name, title = nil, text: self.class.written(type_name, title))
          super(text)
          @type_name = type_name
          @title = title
        end

        def downcased_name = @type_name&.downcase
      end

      class PClassType < PCatalogEntryType
        attr_reader :class_name

        def initialize(class_name, text: "Class#{"[#{class_name}]" if class_name}")
          super(text)
          @class_name = class_name
        end
      end

      PCatalogEntryType::DEFAULT = PCatalogEntryType.new('CatalogEntry')
      PResourceType::DEFAULT = PResourceType.new(nil)
      PClassType::DEFAULT = PClassType.new(nil)
      PObjectTypeExtension = PObjectType
      PAnyType::DEFAULT = PAnyType.new('Any')

      class PSensitiveType
        # A value that logs must not show.
        class Sensitive
          def initialize(value)
            @value = value
          end

          # What was taken out of its wrapper since the host's call; no message of that call's errors shows it.
          OPENED = []

          def self.redacted(message)
            texts = OPENED.flat_map { |value| [value.inspect, value.to_s, *(value.inspect[1..-2] if value.is_a?(String))] }
            texts = texts.select { |text| text.length > 2 }.uniq.sort_by { |text| -text.length }
            texts.reduce(message) { |text, secret| text.gsub(secret) { '[value redacted]' } }
          end

          def unwrap
            OPENED << @value unless OPENED.any? { |each| each.equal?(@value) }
            @value
          end

          def to_s = 'Sensitive [value redacted]'
          def inspect = '#<Sensitive [value redacted]>'
          def ==(other) = other.is_a?(Sensitive) && other.eql_value?(@value)
          def eql_value?(value) = value == @value
          alias eql? ==
          def hash = @value.hash
        end
      end

      class PBinaryType
        class Binary
          attr_reader :binary_buffer

          def self.from_base64(text) = new(Base64.decode64(text))
          def self.from_binary_string(bytes) = new(bytes)
          def self.from_string(text) = new(text)

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
          case kind
          when 'Resource' then type.new(details[0]&.split('::')&.map(&:capitalize)&.join('::'), details[1], text: text)
          when 'Class' then type.new(details[0], text: text)
          else type.new(text)
          end
        end

        NAMES = { 'ArrayOf' => 'Array', 'HashOf' => 'Hash', 'Range' => 'Integer', 'FloatRange' => 'Float' }.freeze

        def self.kind(name)
          found = name.to_s.split('_').map(&:capitalize).join
          NAMES[found] || KINDS.keys.find { |each| each.casecmp?(found) }
        end

        # `optional(string)`, `array_of(integer)`, `range(1, 5)`: as the language would write it.
        def self.method_missing(name, *details)
          kind = kind(name) or return super
          return made(kind, kind) if details.empty?

          details = [details[1] || PScalarType::DEFAULT, details[0]] if name == :hash_of
          Plumb::Bridge.ask('type', "#{kind}[#{details.map { |each| written(each) }.join(', ')}]")
        end

        def self.respond_to_missing?(name, *) = !kind(name).nil?

        def self.written(value)
          case value
          when String then "'#{value.gsub(/[\\']/) { |sign| "\\#{sign}" }}'"
          when Hash then "{#{value.map { |key, each| "#{written(key)} => #{written(each)}" }.join(', ')}}"
          when Regexp then value.inspect
          else value.to_s
          end
        end
      end

      class TypeParser
        def self.singleton = @singleton ||= new
        def parse(text, *) = Plumb::Bridge.ask('type', text)
        def interpret(text, *) = parse(text)
      end

      # What is asked of the class may be asked of an instance.
      class TypeCalculator
        def self.singleton = @singleton ||= new

        %i[instance? infer infer_set generalize assignable? iterable is_kind_of_callable?].each do |question|
          define_method(question) { |*arguments| TypeCalculator.public_send(question, *arguments) }
        end

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

      class TypeAssertionError < Puppet::Error; end

      # How the language writes values, and types.
      class StringConverter
        def self.singleton = @singleton ||= new
        def self.convert(value, formats = :default) = singleton.convert(value, formats)

        def convert(value, formats = :default)
          Plumb::Bridge.ask('call', 0, 'new', [PStringType::DEFAULT, value, *(formats unless formats == :default)])
        end
      end

      class TypeFormatter
        def self.singleton = @singleton ||= new
        def self.string(type) = type.to_s
        def string(type) = type.to_s
        def alias_expanded_string(type) = type.to_alias_expanded_s
      end

      class TypeAsserter
        def self.assert_instance_of(subject, expected, value, nil_ok = false)
          return value if (nil_ok && value.nil?) || expected.instance?(value)

          subject = yield if block_given?
          raise TypeAssertionError, Plumb::Bridge.ask('mismatch', subject.to_s, expected, value)
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
