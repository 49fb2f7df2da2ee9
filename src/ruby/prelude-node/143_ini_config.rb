# Files of sections with settings, as Puppet::Util::IniConfig promises them.
$LOADED_FEATURES.push('puppet/util/inifile.rb')

module Puppet
  module Util
    remove_const(:IniConfig)

    module IniConfig
      class IniParseError < Puppet::Error
        include ExternalFileError
      end

      # A section: its lines, and settings as pairs among them.
      class Section
        attr_reader :name, :file, :entries
        attr_writer :destroy

        def initialize(name, file)
          @name = name
          @file = file
          @entries = []
          @dirty = false
          @destroy = false
        end

        def dirty? = @dirty || @destroy
        def destroy? = @destroy
        def mark_dirty = @dirty = true
        def mark_clean = @dirty = false
        def add_line(line) = @entries << line
        def [](key) = pair(key)&.last

        def []=(key, value)
          @dirty = true
          known = pair(key)
          known ? known[1] = value : @entries << [key, value]
        end

        def format
          return '' if @destroy

          lines = @entries.map { |each| each.is_a?(Array) ? (each[1].nil? ? '' : "#{each[0]}=#{each[1]}\n") : each }
          "[#{name}]\n#{lines.join}"
        end

        private

        def pair(key) = @entries.find { |each| each.is_a?(Array) && each[0] == key }
      end

      # One file on the disk.
      class PhysicalFile
        COMMENT = /\A\s*\z|\A[#;]|\A\s*rem\s/i
        CONTINUATION = /\A[ \t\r\n\f]/
        SECTION = /\A\[([^\]]+)\]/
        PROPERTY = /\A\s*([^\s=]+)\s*=\s*(.*)$/

        attr_reader :filetype, :contents
        attr_accessor :destroy_empty, :file_collection

        def initialize(file, options = {})
          @file = file
          @contents = []
          @filetype = FileType.filetype(:flat).new(file)
          @destroy_empty = options.fetch(:destroy_empty, false)
        end

        def read
          raise IniParseError, "Cannot read nonexistent file #{@file.inspect}" unless ::File.exist?(@file)

          parse(@filetype.read)
        end

        def parse(text)
          section = key = nil
          text.each_line.with_index(1) do |line, number|
            case line
            when COMMENT then section ? section.add_line(line) : @contents << line
            when SECTION
              section&.mark_clean
              section = add_section($1)
              key = nil
            else key = take(line, number, section, key)
            end
          end
          section&.mark_clean
        end

        def sections = @contents.grep(Section)
        def get_section(name) = sections.find { |each| each.name == name }
        def format = @contents.map { |each| each.is_a?(Section) ? each.format : each }.join

        def store
          if @destroy_empty && sections.all?(&:destroy?)
            ::File.unlink(@file)
          elsif sections.any?(&:dirty?)
            @filetype.write(format)
          end
          sections.each(&:mark_clean)
        end

        def add_section(name)
          if get_section(name) || file_collection&.get_section(name)
            raise IniParseError.new("Section #{name.inspect} is already defined, cannot redefine", @file)
          end

          Section.new(name, @file).tap { |made| @contents << made }
        end

        private

        # The setting that further lines may go on with.
        def take(line, number, section, key)
          if line.match?(CONTINUATION) && section && key
            section[key] += "\n#{line.chomp}"
            return key
          end
          found = PROPERTY.match(line) or raise IniParseError.new("Can't parse line '#{line.chomp}'", @file, number)
          raise IniParseError, "Property with key #{found[1].inspect} outside of a section" unless section

          section[found[1]] = found[2].rstrip
          found[1]
        end
      end

      # Several files as one.
      class FileCollection
        attr_reader :files

        def initialize = @files = {}
        def read(file) = file_at(file, true).read
        def store = @files.each_value(&:store)
        def each_section(&) = @files.each_value { |file| file.sections.each(&) }
        def each_file(&) = @files.keys.each(&)
        def get_section(name) = @files.values.filter_map { |file| file.get_section(name) }.last
        alias [] get_section
        def include?(name) = !get_section(name).nil?
        def add_section(name, file) = file_at(file).add_section(name)

        private

        def file_at(path, anew = false)
          return @files[path] if @files[path] && !anew

          @files[path] = PhysicalFile.new(path).tap { |made| made.file_collection = self }
        end
      end

      File = FileCollection
    end
  end
end
