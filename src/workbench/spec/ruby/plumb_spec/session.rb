require 'json'

# State of this process: the options of the run, the facts of the current example, and its log.
module PlumbSpec
  class << self
    attr_accessor :config
    attr_writer :facts

    def facts = @facts ||= {}

    # True in a process that runs a part of the suite.
    def worker? = @worker == true
    def worker! = @worker = true
    def collect_logs(list) = @logs = list

    def log(level, message)
      @logs << LogLine.new(level, message) if @logs
      nil
    end

    # Libraries for specs in fixture modules.
    def add_spec_libraries(modulepath)
      modulepath.split(File::PATH_SEPARATOR).flat_map { |folder| Dir["#{folder}/*/spec/lib"] }.each do |path|
        $LOAD_PATH << path if File.directory?(path) && !$LOAD_PATH.include?(path)
      end
    end

    def deep_merge(one, other)
      return other unless one.is_a?(Hash) && other.is_a?(Hash)

      one.merge(other) { |_, old, new| deep_merge(old, new) }
    end
  end

  # JSON on the socket. Examples may replace the methods of JSON.
  module Wire
    GENERATOR = JSON::State.new(max_nesting: 0)

    def self.parse(text) = JSON::Parser.new(text, max_nesting: false).parse
    def self.generate(value) = GENERATOR.generate(value)
  end

  # A log message, as examples see it.
  LogLine = Struct.new(:level, :message) do
    def to_s = message
    def source = 'Puppet'
  end
end
