# Values on their way between Ruby and the host, as JSON in which every list, hash and special value is an array that
# begins with its tag (see tagged-json.ts).
module Plumb
  module Values
    Types = Puppet::Pops::Types
    Sensitive = Types::PSensitiveType::Sensitive
    Binary = Types::PBinaryType::Binary
    TIME = Puppet::Pops::Time
    LARGEST = (1 << 53) - 1
    # Blocks that the host may call, and objects that it hands on, until the catalog is done; and their numbers.
    HELD = {}
    NUMBERS = {}.compare_by_identity
    # Lists and hashes that the host named by numbers, in the value that is read now.
    SHARED = {}
    # Lists and hashes that were said in the value that is said now, each with how it was said.
    SAID = {}.compare_by_identity

    @shares = nil

    module_function

    # For the host, with what stands in several places said once.
    def out_shared(value)
      SAID.clear
      @shares = 0
      out(value)
    ensure
      SAID.clear
      @shares = nil
    end

    # A place where a list or a hash stands that was said before.
    def again(value)
      earlier = SAID[value]
      earlier.unshift('&', @shares += 1) if earlier[0] != '&'
      ['*', earlier[1]]
    end

    # For the host.
    def out(value)
      case value
      when String then string(value)
      when nil, true, false then value
      when Integer then value.abs <= LARGEST ? value : ['i', value.to_s]
      when Float then ['f', value.to_s]
      when Symbol then symbol(value)
      when Array then out_list(value)
      when Hash then out_hash(value)
      else special(value)
      end
    end

    # From the host.
    def in(value)
      return value unless value.is_a?(Array)

      case value[0]
      when 'l' then in_list(value)
      when 'h' then in_hash(value)
      when '&' then SHARED[value[1]] = self.in(value.drop(2))
      when '*' then SHARED.fetch(value[1])
      else in_special(*value)
      end
    end

    # A string; one that is not UTF-8 as base64.
    def string(value)
      utf8 = utf8(value)
      utf8.valid_encoding? ? utf8 : ['y', [utf8].pack('m0')]
    end

    # A message.
    def text(value)
      utf8 = utf8(value)
      utf8.valid_encoding? ? utf8 : utf8.scrub
    end

    def utf8(value)
      value.encoding == Encoding::UTF_8 || value.ascii_only? ? value : recoded(value)
    end

    def recoded(value)
      return value.dup.force_encoding(Encoding::UTF_8) if value.encoding == Encoding::BINARY

      value.encode(Encoding::UTF_8, invalid: :replace, undef: :replace)
    end

    def symbol(value)
      case value
      when :undef then nil
      when :default then ['d']
      else value.to_s
      end
    end

    def out_list(value)
      return again(value) if @shares && SAID.key?(value)

      result = ['l']
      SAID[value] = result if @shares
      index = 0
      while index < value.size
        result << out(value[index])
        index += 1
      end
      result
    end

    def out_hash(value)
      return again(value) if @shares && SAID.key?(value)

      result = ['h']
      SAID[value] = result if @shares
      keys = value.keys
      values = value.values
      index = 0
      while index < keys.size
        result << out(keys[index]) << out(values[index])
        index += 1
      end
      result
    end

    def special(value)
      case value
      when Sensitive then ['s', out(value.unwrap)]
      when Types::PResourceType then ['t', value.text, 'Resource', value.type_name, value.title]
      when Types::PClassType then ['t', value.text, 'Class', value.class_name]
      when Types::PAnyType then ['t', value.text]
      when Puppet::Resource then out_reference(value)
      when Regexp then ['r', value.options.zero? ? value.source : value.to_s]
      when Binary then ['b', value.to_s]
      when TIME::Timestamp then ['at', value.nsecs.to_s]
      when TIME::Timespan then ['for', value.nsecs.to_s]
      when Time then ['at', (value.to_i * 1_000_000_000 + value.nsec).to_s]
      when SemanticPuppet::Version then ['v', value.to_s]
      when SemanticPuppet::VersionRange then ['vr', value.to_s]
      when URI::Generic then ['u', value.to_s]
      when Proc then ['p', hold(value), value.arity]
      when Set, Enumerator, Types::Iterable::Walk then out_list(value.to_a)
      when Numeric then ['f', value.to_f.to_s]
      when Held, Puppet::Pops::Lookup::Context then ['o', value.id]
      else ['x', hold(value), text(value.class.name || 'Object'), text(value.to_s), value.is_a?(Module)]
      end
    end

    def out_reference(value)
      value.class? ? ['t', value.ref, 'Class', value.title] : ['t', value.ref, 'Resource', value.type, value.title]
    end

    def in_list(value)
      result = []
      index = 1
      while index < value.size
        element = value[index]
        result << (element.is_a?(Array) ? self.in(element) : element)
        index += 1
      end
      result
    end

    def in_hash(value)
      result = {}
      index = 1
      while index < value.size
        key = value[index]
        element = value[index + 1]
        result[key.is_a?(Array) ? self.in(key) : key] = element.is_a?(Array) ? self.in(element) : element
        index += 2
      end
      result
    end

    def in_special(tag, value = nil, *rest)
      case tag
      when 'f' then Float(value, exception: false) || { 'NaN' => Float::NAN, '-Infinity' => -Float::INFINITY }.fetch(value, Float::INFINITY)
      when 'i' then Integer(value, 10)
      when 'd' then :default
      when 's' then Sensitive.new(self.in(value))
      when 't' then Types::TypeFactory.made(value, *rest)
      when 'r' then Regexp.new(value)
      when 'b' then Binary.from_base64(value)
      when 'y' then value.unpack1('m0').force_encoding(Encoding::UTF_8)
      when 'at' then TIME::Timestamp.new(value.to_i)
      when 'for' then TIME::Timespan.new(value.to_i)
      when 'v' then SemanticPuppet::Version.parse(value)
      when 'vr' then SemanticPuppet::VersionRange.parse(value)
      when 'u' then URI.parse(value)
      when 'c' then lambda_of(value, *rest)
      when 'lc' then Puppet::Pops::Lookup::Context.new(value, *rest)
      when 'x' then HELD.fetch(value)
      when 'o' then Held.new(value, rest[0], self.in(rest[1]))
      else raise Puppet::DevError, "unknown tag #{tag}"
      end
    end

    # An object of the host's that Ruby only hands on.
    class Held
      attr_reader :id

      def initialize(id, text, attributes)
        @id = id
        @text = text
        @attributes = attributes
      end

      def to_s = @text
      def [](name) = @attributes[name.to_s]
      def respond_to_missing?(name, *) = @attributes.key?(name.to_s)
      def method_missing(name, *) = @attributes.key?(name.to_s) ? @attributes[name.to_s] : super
    end

    def lambda_of(id, names, least, most)
      Puppet::Pops::Evaluator::PuppetProc.new(names, least, most) { |*arguments| Bridge.ask('lambda', id, arguments) }
    end

    def hold(value)
      NUMBERS[value] ||= begin
        id = HELD.size + 1
        HELD[id] = value
        id
      end
    end
  end
end
