# Files of records: where their text is kept, and how a line becomes a record and a line again.
$LOADED_FEATURES.push('puppet/util/fileparsing.rb')

module Puppet
  module Util
    remove_const(:FileType)

    # Where text is kept: a file, memory, or a user's crontab.
    class FileType
      class FileReadError < Puppet::Error; end

      # What all kinds do around their own reading and writing.
      module Guarded
        # Without Puppet's own lines at the top.
        def read
          text = super
          @loaded = Time.now
          text ? text.gsub(/# HEADER.*\n/, '') : ''
        rescue Puppet::Error
          raise
        rescue StandardError => error
          failed('read', error)
        end

        def write(text)
          super.tap { @synced = Time.now }
        rescue Puppet::Error
          raise
        rescue StandardError => error
          failed('write', error)
        end

        private

        def failed(what, error)
          message = "#{self.class} could not #{what} #{path}: #{error}"
          Puppet.log_exception(error, message)
          raise Puppet::Error, message, error.backtrace
        end
      end

      class << self
        attr_accessor :name

        def filetype(name) = (@filetypes || {})[name.to_sym]

        def newfiletype(name, &block)
          made = Class.new(self)
          made.name = name.to_sym
          made.class_eval(&block)
          made.prepend(Guarded)
          (@filetypes ||= {})[name.to_sym] = made
        end
      end

      attr_accessor :loaded, :path, :synced

      def initialize(path, default_mode = nil)
        raise ArgumentError, 'Path is nil' if path.nil?

        @path = path
        @default_mode = default_mode
      end

      def to_s = "#{self.class.name}(#{path})"

      newfiletype(:flat) do
        def backup = nil
        def read = File.exist?(path) ? File.read(path) : nil
        def remove = File.exist?(path) && File.unlink(path)
        def write(text) = Util.replace_file(path, File.exist?(path) ? nil : @default_mode || 0o644) { |file| file.print(text) }
      end

      newfiletype(:ram) do
        @@tabs = {}

        def self.clear = @@tabs.clear
        def backup = nil
        def read = @@tabs[path] || ''
        def remove = @@tabs.delete(path)

        def write(text)
          @@tabs[path] = text
        end
      end

      newfiletype(:crontab) do
        def backup = nil

        def read
          Execution.execute(['crontab', '-u', path, '-l'], failonfail: true, combine: true)
        rescue ExecutionFailure => error
          raise FileReadError, "Could not read crontab for #{path}: #{error}" unless error.message.match?(/no crontab for|no crontab/i)

          ''
        end

        def remove = Execution.execute(['crontab', '-u', path, '-r'], failonfail: false, combine: true)

        def write(text)
          Tempfile.create('plumb-crontab') do |file|
            file.print(text)
            file.flush
            File.chown(Util.uid(path), nil, file.path)
            Execution.execute(['crontab', '-u', path, file.path], failonfail: true, combine: true)
          end
        end
      end
    end

    # Lines of text as records with fields, and back.
    module FileParsing
      attr_writer :line_separator, :trailing_separator

      # How a line of one kind is taken apart and put together.
      class FileRecord
        FORBIDDEN = %i[record_type target on_disk].freeze
        attr_accessor :absent, :joiner, :rts, :separator, :rollup, :name, :match, :block_eval
        attr_reader :fields, :optional, :type

        def initialize(type, fields: nil, optional: nil, **options, &block)
          @type = type.to_sym
          raise ArgumentError, "Invalid record type #{@type}" unless %i[record text].include?(@type)

          @rollup = true
          options.each { |name, value| public_send("#{name}=", value) unless value.nil? && name != :rollup }
          self.fields = fields if fields
          self.optional = optional if optional
          fill_in if @type == :record
          process_with(block) if block
        end

        def fields=(names)
          @fields = names.map(&:to_sym)
          wrong = @fields.find { |name| FORBIDDEN.include?(name) }
          raise ArgumentError, "Cannot have fields named #{wrong}" if wrong
        end

        def optional=(names)
          @optional = names.map(&:to_sym)
        end

        %i[post_parse pre_gen to_line].each { |hook| define_method("#{hook}=") { |block| define_singleton_method(hook, &block) } }
        def text? = type == :text

        def join(values)
          parts = fields.map do |field|
            value = values[field]
            next value.to_s unless [nil, :absent, [:absent]].include?(value)
            raise ArgumentError, "Field '#{field}' is required" unless optional.include?(field)

            absent
          end
          parts.compact.join(joiner)
        end

        private

        def fill_in
          @absent ||= ''
          @separator ||= /\s+/
          @joiner ||= ' '
          @optional ||= []
        end

        def process_with(block)
          @block_eval ||= :process
          @block_eval == :instance ? instance_eval(&block) : define_singleton_method(@block_eval, &block)
        end
      end

      def clear_records = [@record_types, @record_order].each(&:clear)
      def fields(type) = record_type(type)&.fields&.dup
      def records? = !(@record_types || {}).empty?
      def line_separator = @line_separator ||= "\n"
      def trailing_separator = @trailing_separator.nil? ? true : @trailing_separator
      def lines(text) = text.split(line_separator)
      def valid_attr?(type, name) = record_type(type)&.fields&.include?(name.to_sym) || name.to_sym == :ensure

      def record_line(name, options, &block)
        raise ArgumentError, 'Must include a list of fields' unless options.include?(:fields)

        add_line_type(FileRecord.new(:record, **options, &block), name)
      end

      def text_line(name, options, &block)
        raise ArgumentError, 'You must provide a :match regex for text lines' unless options.include?(:match)

        add_line_type(FileRecord.new(:text, **options, &block), name)
      end

      def parse(text)
        lines(text).map.with_index(2) do |line, count|
          parse_line(line) or raise ResourceError.new("Could not parse line #{line.inspect}").tap { |error| error.line = count }
        end
      end

      def parse_line(line)
        raise DevError, 'No record types defined; cannot parse lines' unless records?

        @record_order.each do |record|
          found = public_send("handle_#{record.type}_line", line, record) or next
          record.post_parse(found) if record.respond_to?(:post_parse)
          return found
        end
        nil
      end

      def handle_text_line(line, record) = line.match?(record.match) ? { record_type: record.name, line: line } : nil

      def handle_record_line(line, record)
        found = taken_apart(line, record) or return nil
        found[:record_type] = record.name
        found
      end

      def to_file(records)
        records.map { |record| to_line(record) }.join(line_separator) + (trailing_separator ? line_separator : '')
      end

      def to_line(values)
        record = record_type(values[:record_type]) or raise ArgumentError, "Invalid record type #{values[:record_type].inspect}"
        if record.respond_to?(:pre_gen)
          values = values.dup
          record.pre_gen(values)
        end
        return values[:line] if record.text?
        return record.to_line(values) if record.respond_to?(:to_line)

        line = record.join(values)
        record.rts ? line.sub(record.rts == true ? /\s+$/ : record.rts, '') : line
      end

      private

      def record_type(type) = type && @record_types[type.to_sym]

      def add_line_type(record, name)
        record.name = name.to_sym
        @record_types ||= {}
        @record_order ||= []
        raise ArgumentError, "Line type #{record.name} is already defined" if @record_types.key?(record.name)

        @record_order << record
        @record_types[record.name] = record
      end

      def taken_apart(line, record)
        return by_block(line, record) if record.respond_to?(:process)

        known = ->(value) { value.nil? || value == record.absent ? :absent : value }
        if record.match
          match = record.match.match(line) or return nil
          return record.fields.zip(match.captures).to_h { |field, value| [field, value == record.absent ? :absent : value] }
        end

        parts = line.split(record.separator == ' ' ? / / : record.separator)
        found = record.fields.to_h { |field| [field, known.call(parts.shift)] }
        last = record.fields.last
        found[last] = [found[last], *parts].join(record.joiner) if record.rollup && !parts.empty?
        found
      end

      def by_block(line, record)
        found = record.process(line.dup) or return nil
        raise DevError, "Process record type #{record.name} returned non-hash" unless found.is_a?(Hash)

        found
      end
    end
  end
end
