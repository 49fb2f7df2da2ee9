# What models have in common: their forms on the wire, as YAML and JSON, and tags.
module Puppet
  module Util
    module Docs
      attr_writer :doc

      def desc(text) = @doc = text
      def doc = Docs.scrub(@doc.to_s)

      # The text without the indentation that all its lines but the first have.
      def self.scrub(text)
        first, *rest = text.lines
        depth = rest.reject { |line| line.strip.empty? }.map { |line| line[/\A */].size }.min || 0
        [first.to_s, *rest.map { |line| line.strip.empty? ? "\n" : line[depth..] }].join.strip
      end
    end

    module PsychSupport
      def init_with(coder) = initialize_from_hash(coder.map)

      def encode_with(coder)
        coder.represent_map(Psych.dump_tags[self.class] || "!ruby/object:#{self.class.name}", to_data_hash)
      end
    end

    class TagSet < Set
      def self.from_data_hash(data) = new(data)
      def to_data_hash = to_a
      def to_yaml = to_a.to_yaml
      def join(*separator) = to_a.join(*separator)
    end

    module Tagging
      VALID_TAG = /\A[[:alnum:]_][[:alnum:]_:.-]*\Z/u

      def tags = (@tags ||= TagSet.new).dup

      def tags=(given)
        @tags = TagSet.new
        tag(*(given.is_a?(String) ? given.split(/\s*,\s*/) : given))
      end

      def tag(*names)
        @tags ||= TagSet.new
        names.flatten.compact.map { |name| name.to_s.downcase }.each do |name|
          raise ParseError, "Invalid tag '#{name}'" unless name.match?(VALID_TAG)

          @tags.merge([name, *(name.include?('::') ? name.split('::') : [])])
        end
      end

      def tagged?(*names) = raw_tagged?(names.flatten.compact.map { |name| name.to_s.downcase })
      def raw_tagged?(names) = names.any? { |name| @tags&.include?(name) }
      def merge_tags_from(other) = (@tags ||= TagSet.new).merge(other.tags)
    end
  end

  module Network
    # The formats in which a model travels.
    module FormatSupport
      module ClassMethods
        def supported_formats = %i[json yaml]
        def support_format?(name) = supported_formats.include?(name.to_sym)
        def default_format = :json

        def convert_from(format, text)
          return from_data_hash(::JSON.parse(text, max_nesting: false)) if format.to_s.match?(/json/)
          raise ArgumentError, "No format match the given format name or mime-type (#{format})" unless format.to_s.match?(/yaml/)

          given = YAML.safe_load(text, permitted_classes: [Symbol, Time, self], aliases: true)
          given.is_a?(self) ? given : from_data_hash(given)
        end
      end

      def self.included(model) = model.extend(ClassMethods)

      def to_json(*options) = to_data_hash.to_json(*options)

      def render(format = nil)
        case format.to_s
        when '', /json/ then to_json
        when /yaml/ then to_yaml
        else raise ArgumentError, "No format match the given format name or mime-type (#{format})"
        end
      end

      def mime(format = nil) = format.to_s.include?('yaml') ? 'text/yaml' : 'application/json'
      def support_format?(name) = self.class.support_format?(name)
    end
  end
end

module Plumb
  # A time as it came over the wire.
  module WireTime
    def self.of(given) = given.is_a?(String) ? Time.parse(given) : given
  end
end

module Plumb
  module PlugIns
    class << self
      # The request of a server for which code runs; nil on a node.
      attr_reader :current_key, :current_environment, :current_facts
    end
  end
end
