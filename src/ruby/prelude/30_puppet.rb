# The part of Puppet's own Ruby that modules use while a catalog is compiled; our own words.
$LOADED_FEATURES.push(*%w[
  puppet facter hiera puppet_x puppet/datatypes puppet/error puppet/util puppet/util/execution puppet/util/json
  puppet/util/package puppet/util/errors puppet/util/logging puppet/util/yaml puppet/util/symbolic_file_mode
  puppet/util/platform puppet/util/puppetdb puppet/file_system puppet/functions puppet/parser puppet/parser/functions puppet/parser/scope
  puppet/parser/files puppet/parser/templatewrapper puppet/module puppet/pops puppet/resource puppet/settings
  puppet/environments puppet/node puppet/node/environment puppet/node/facts puppet/loaders puppet/version puppet/face
  puppet/util/filetype puppet/util/checksums puppet/util/tagging puppet/util/warnings puppet/lookup_context puppet/data_binding
  semantic_puppet
].map { |name| "#{name}.rb" })

module Puppet
  class Error < RuntimeError
    attr_accessor :original

    def initialize(message = nil, original = nil)
      super(message)
      @original = original
    end
  end

  # An error that knows where in a file it happened.
  module ExternalFileError
    attr_accessor :file, :line, :pos

    def initialize(message = nil, file = nil, line = nil, pos = nil, original = nil)
      file, original = nil, file if file.is_a?(Exception)
      line, original = nil, line if line.is_a?(Exception)
      super(message, original)
      @file = file unless file == ''
      @line = line
      @pos = pos
    end

    def to_s
      "#{super}#{Util::Errors.error_location_with_space(@file, @line, @pos)}"
    end
  end

  class ParseError < Error
    include ExternalFileError
  end

  class ResourceError < Error
    include ExternalFileError
  end

  class ParseErrorWithIssue < ParseError; end
  class PreformattedError < ParseErrorWithIssue; end
  class EvaluationError < PreformattedError; end
  class DevError < Error; end
  class MissingCommand < Error; end
  class ExecutionFailure < Error; end
  class InvalidCompiler < Error; end

  # What is set, as `Puppet.settings` has it; nothing is set here.
  class Settings
    class SettingsError < Error; end
    class ValidationError < SettingsError; end

    def [](name) = Puppet[name]
    def value(name, *) = Puppet[name]
    def []=(name, value)
      Puppet[name] = value
    end

    def include?(name) = !Puppet[name].nil?
    alias valid? include?
    def set_by_cli?(_name) = false
    def set_by_config?(*) = false
    def use(*) = nil
    def clear = nil
    def app_defaults_initialized? = true
    def global_defaults_initialized? = true
  end

  @overridden = {}

  class << self
    def [](name)
      name = name.to_sym
      return @overridden[name] if @overridden.key?(name)

      value = Plumb::Bridge.ask('setting', name.to_s)
      name == :strict ? value.to_sym : value
    end

    def []=(name, value)
      Plumb::Notes.add('redefined', "Puppet[:#{name}]", '')
      @overridden[name.to_sym] = value
    end

    def settings
      @settings ||= Settings.new
    end

    def version
      PUPPETVERSION
    end

    def features
      Features
    end

    def run_mode
      RunMode
    end

    # Whether anybody wants to know what is said for debugging: each message costs a turn to the host.
    attr_accessor :debugging

    %i[debug info notice warning err alert emerg crit].each do |level|
      define_method(level) do |message = nil, &block|
        next if level == :debug && !@debugging

        Plumb::Bridge.ask('log', level.to_s, (block ? block.call : message).to_s)
        nil
      end
    end

    def send_log(level, message) = public_send(level, message)

    def deprecation_warning(message, *)
      warning(message)
    end
    alias puppet_deprecation_warning deprecation_warning

    def warn_once(_kind, _key, message, *)
      warning(message)
    end

    def log_exception(error, message = nil, *)
      err(message.is_a?(String) ? message : error.message)
    end

    def lookup(name)
      case name
      when :current_environment then Node::Environment.current
      when :environments then Environments
      when :global_scope then Parser::Scope.top
      else block_given? ? yield : nil
      end
    end

    def override(*)
      yield
    end
  end

  module RunMode
    def self.name = :server
    def self.server? = true
    def self.master? = true
    def self.agent? = false
  end

  module Features
    def self.posix? = true
    def self.root? = true

    def self.method_missing(name, *)
      name.end_with?('?') ? false : super
    end

    def self.respond_to_missing?(name, *)
      name.end_with?('?')
    end
  end

  module FileSystem
    module_function

    def exist?(path) = File.exist?(path)
    def file?(path) = File.file?(path)
    def directory?(path) = File.directory?(path)
    def read(path, **options) = File.read(path, **options)
    def read_preserve_line_endings(path) = File.read(path, encoding: 'bom|utf-8')
    def binread(path) = File.binread(path)
    def pathname(path) = Pathname.new(path)
    def basename(path) = File.basename(path)
    alias basename_string basename
    def dir(path) = File.dirname(path)
    alias dir_string dir
    def dir_exist?(path) = File.directory?(dir(path))
    def path_string(path) = path.to_s
    def expand_path(path, ...) = File.expand_path(path, ...)
    def symlink?(path) = File.symlink?(path)
    def executable?(path) = File.executable?(path)
    def writable?(_path) = false
    def stat(path) = File.stat(path)
    alias lstat stat
    def size(path) = File.size(path)
    def children(path) = Dir.children(path).map { |name| Pathname.new(path) + name }
    def assert_path(path) = path.is_a?(Pathname) ? path : Pathname.new(path)
    def each_line(path, &block) = File.foreach(path, &block)
    def open(path, _mode, options = 'r', &block) = File.open(path, options, &block)
  end

  # A module, by the folder that it is in.
  class Module
    attr_reader :name, :path

    def self.find(name, _environment = nil)
      path = Plumb::Bridge.ask('module', name.to_s)
      path && new(name.to_s, path)
    end

    def initialize(name, path, _environment = nil)
      @name = name
      @path = path
    end

    def metadata_file = "#{@path}/metadata.json"
    def has_metadata? = File.file?(metadata_file)
    def metadata = has_metadata? ? JSON.parse(File.read(metadata_file)) : {}
    def version = metadata['version']
    def forge_name = metadata['name']&.tr('-', '/')
    def author = metadata['author']
    def environment = Node::Environment.current
    def manifests = "#{@path}/manifests"
    def plugin_directory = "#{@path}/lib"
    def templates = "#{@path}/templates"
    def files = "#{@path}/files"
    def template(name) = Plumb::Bridge.ask('find_file', 'templates', "#{@name}/#{name}")
    def file(name) = Plumb::Bridge.ask('find_file', 'files', "#{@name}/#{name}")
    def to_s = "Module #{@name}(#{@path})"
  end

  # What is known of the node whose catalog is compiled.
  class Node
    attr_reader :name

    def initialize(name, **)
      @name = name
    end

    def environment = Environment.current
    def facts = Facts.new(@name, Parser::Scope.top['facts'])
    def parameters = Parser::Scope.top.to_hash
    def trusted_data = Parser::Scope.top['trusted']

    Facts = Struct.new(:name, :values)

    class Environment
      def self.current = @current ||= new
      def name = Plumb::Bridge.ask('environment').to_sym
      def to_s = name.to_s
      def modulepath = Plumb::Bridge.ask('modulepath')
      def full_modulepath = modulepath
      def modules = Plumb::Bridge.ask('modules').map { |name| Module.find(name) }
      def module(name) = Module.find(name)
      def modules_by_path = modules.group_by { |each| File.dirname(each.path) }
      def known_resource_types = Parser::KnownResourceTypes.new
      def manifest = Puppet[:manifest]
    end
  end

  # Only the one that is compiled is there.
  module Environments
    class EnvironmentNotFound < Puppet::Error; end

    module_function

    def list = [Node::Environment.current]
    def get(name) = list.find { |each| each.name.to_s == name.to_s }
    def get!(name) = get(name) || raise(EnvironmentNotFound, "Could not find a directory environment named '#{name}'")
  end

  class DataBinding
    class LookupError < Error; end
  end
end

module PuppetX; end

# Translations: none.
def _(text)
  text
end

def n_(one, many, count)
  count == 1 ? one : many
end

# Facts of the node whose catalog is compiled.
module Facter
  Fact = Struct.new(:name, :value)

  def self.value(name)
    Plumb::Bridge.ask('fact', name.to_s)
  end

  def self.fact(name)
    found = value(name)
    found.nil? ? nil : Fact.new(name.to_s, found)
  end

  singleton_class.alias_method :[], :fact
  def self.to_hash = Puppet::Parser::Scope.top['facts']
  def self.list = to_hash.keys
  def self.version = value('facterversion') || '4.0.0'
  def self.debug(message) = Puppet.debug(message)
  def self.warn(message) = Puppet.warning(message)
  # Facts are collected where they are facts of: here they are given.
  %i[add define_fact clear flush reset loadfacts search].each { |name| define_singleton_method(name) { |*, **| nil } }

  module Core
    # No program runs while a catalog is compiled.
    module Execution
      class ExecutionFailure < StandardError; end

      module_function

      def which(_program) = nil
      def execute(command, **) = raise(ExecutionFailure, "Programs cannot be run while a catalog is compiled: #{command}")
      def exec(command) = execute(command)
    end
  end

  module Util
    Resolution = Core::Execution
  end
end
