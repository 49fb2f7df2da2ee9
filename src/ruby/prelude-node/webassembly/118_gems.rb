# Loads gems in pure Ruby from modules and from the node, with the part of RubyGems' API that modules use.
module Plumb
  module Gems
    # Gems that are never loaded: an installed Puppet would replace the classes of this prelude.
    OWN = %w[puppet facter hiera rubygems-update puppet-resource_api].freeze
    # Gems that belong to this Ruby; `gem` accepts them without a version check.
    BUILT_IN = %w[base64 bigdecimal csv date digest erb json openssl psych rexml stringio strscan time uri yaml zlib].freeze
    PLAIN = %w[/usr/lib/ruby/vendor_ruby /opt/puppetlabs/puppet/lib/ruby/vendor_ruby].freeze
    # Constants that replace a missing gem, by the required file.
    STAND_INS = {}
    COMPILED = /\.(?:so|bundle|dll)\z/

    module_function

    # Returns all gems by precedence of their directories, then from the newest to the oldest version. Reads them again after
    # a gem was installed or removed; activated gems stay the same objects.
    def all
      found = homes
      stamp = found.to_h { |home| [home, %w[specifications gems].map { |name| changed_at("#{home}/#{name}") }] }
      return @all if @stamp == stamp

      @stamp = stamp
      read = found.flat_map { |home| in_home(home).sort_by { |gem| [gem.name, gem.version] }.reverse }
      @all = read.reject { |gem| OWN.include?(gem.name) }.map { |gem| activated(gem) || gem }
    end

    def changed_at(path)
      File.mtime(path).to_r
    rescue SystemCallError
      nil
    end

    def activated(gem)
      loaded = Gem.loaded_specs[gem.name]
      loaded if loaded && [loaded.full_name, loaded.base_dir] == [gem.full_name, gem.base_dir]
    end

    def in_home(home)
      described = Dir.glob("#{home}/specifications/*.gemspec").filter_map { |path| read(path, home) }
      known = described.map(&:full_name)
      folders = Dir.glob("#{home}/gems/*").select { |path| File.directory?("#{path}/lib") && !File.exist?("#{home}/.unfinished-#{File.basename(path)}") }
      bare = folders.filter_map { |path| from_folder(path) }
      described + bare.reject { |gem| known.include?(gem.full_name) }
    end

    def read(path, home)
      gem = Gem::Specification.load(path)
      gem&.base_dir = home
      gem
    end

    def from_folder(path)
      match = /\A(.+)-(\d[\w.]*)\z/.match(File.basename(path)) or return nil
      Gem::Specification.new do |gem|
        gem.name, gem.version = match.captures
        gem.base_dir = File.dirname(path, 2)
      end
    rescue ArgumentError
      nil
    end

    # Adds the gem with a required file to the load path. Returns the path to require; nil if no gem has the file.
    def provide(file)
      return nil if file.match?(OWN_FILES) || file.start_with?('/', '.')

      gem = all.find { |each| !each.activated? && each.contains?(file) }
      return plain_path(file) unless gem

      gem.activate
      file
    end

    # Returns a file of a gem that Debian installed into Ruby's own library directory.
    def plain_path(file)
      PLAIN.map { |folder| "#{folder}/#{file.delete_suffix('.rb')}.rb" }.find { |path| File.file?(path) }
    end

    # Returns the file for an automatic load: Ruby defines the constant only while it loads the file that it was told.
    def automatic(file)
      known = file.match?(OWN_FILES) || file.start_with?('/') || $LOAD_PATH.resolve_feature_path(file) || all.any? { |gem| gem.contains?(file) }
      known ? file : plain_path(file) || file
    end

    # Returns the error message for a compiled file; nil for other files.
    def compiled(file)
      return nil if file.match?(OWN_FILES)

      folders = all.flat_map { |gem| [*gem.full_require_paths, gem.extension_dir] }
      found = folders.find { |folder| %w[so bundle].any? { |type| File.file?("#{folder}/#{file.sub(COMPILED, '')}.#{type}") } } or return nil
      gem = all.find { |each| [*each.full_require_paths, each.extension_dir].include?(found) }
      "cannot load such file -- #{file}: the gem #{gem.full_name} has a C extension, which the built-in Ruby cannot load; use a gem in pure Ruby, a program, or ruby_provider = native"
    end
  end
end

module Gem
  class LoadError < ::LoadError
    attr_accessor :name, :requirement
  end

  class MissingSpecError < LoadError; end

  class Dependency
    attr_reader :name, :requirement, :type

    def initialize(name, *requirements)
      @type = requirements.last.is_a?(Symbol) ? requirements.pop : :runtime
      @name = name
      @requirement = Gem.requirement(requirements)
    end

    def matching_specs = Specification.find_all_by_name(name, requirement)
  end

  # The description of a gem, with the attributes of its gemspec.
  class Specification
    LISTS = %w[authors cert_chain email executables extensions extra_rdoc_files files licenses rdoc_options require_paths test_files].freeze

    attr_accessor :base_dir
    attr_reader :dependencies, :version

    class << self
      include Enumerable

      # Reads a gemspec. Returns nil if it is invalid.
      def load(path)
        found = TOPLEVEL_BINDING.dup.eval(File.read(path), path)
        found.is_a?(self) ? found : nil
      rescue StandardError, ScriptError
        nil
      end

      def each(&) = Plumb::Gems.all.each(&)
      def all = Plumb::Gems.all
      def stubs = all
      def all_names = map(&:full_name)
      def find_all_by_name(name, *requirements) = select { |gem| gem.name == name && Gem.requirement(requirements).satisfied_by?(gem.version) }

      def find_by_name(name, *requirements)
        find_all_by_name(name, *requirements).first || Gem.missing(name, requirements)
      end

      def find_by_path(path) = find { |gem| gem.contains?(path) }
      def latest_specs = all.uniq(&:name)
    end

    def initialize(name = nil, version = nil)
      @attributes = { 'require_paths' => ['lib'] }
      @dependencies = []
      self.name = name if name
      self.version = version if version
      yield self if block_given?
    end

    def version=(given)
      @version = Version.create(given.to_s)
    end

    def add_dependency(name, *requirements) = @dependencies << Dependency.new(name, *requirements)
    alias add_runtime_dependency add_dependency
    def add_development_dependency(*) = nil
    def runtime_dependencies = @dependencies
    def name = @attributes['name']
    def full_name = "#{name}-#{version}"
    def platform = @attributes['platform'] || 'ruby'
    def full_gem_path = [full_name, "#{full_name}-#{platform}"].map { |each| "#{base_dir}/gems/#{each}" }.find { |path| File.directory?(path) } || "#{base_dir}/gems/#{full_name}"
    alias gem_dir full_gem_path
    def lib_dirs_glob = "#{full_gem_path}/lib"
    def full_require_paths = require_paths.map { |path| "#{full_gem_path}/#{path}" }
    def extension_dir = Dir.glob("#{base_dir}/extensions/*/*/#{full_name}").first || full_gem_path
    def activated? = Gem.loaded_specs[name].equal?(self)
    def contains?(file) = full_require_paths.any? { |path| File.file?("#{path}/#{file.delete_suffix('.rb')}.rb") }

    # Adds the gem and its dependencies to the load path.
    def activate
      return false if activated?

      Gem.loaded_specs[name] = self
      dependencies.each { |each| each.matching_specs.first&.activate unless Gem.loaded_specs.key?(each.name) }
      $LOAD_PATH.concat(full_require_paths - $LOAD_PATH)
      true
    end

    def method_missing(name, *arguments)
      text = name.to_s
      return @attributes[text.delete_suffix('=')] = arguments.first if text.end_with?('=')
      return @attributes.fetch(text) { LISTS.include?(text) ? [] : nil } if arguments.empty?

      super
    end

    def respond_to_missing?(name, *) = name.to_s.match?(/\A[a-z_]+=?\z/) || super
    def to_s = "#<Gem::Specification name=#{name} version=#{version}>"
    alias inspect to_s
  end

  class << self
    def loaded_specs = @loaded_specs ||= {}
    def path = Plumb::Gems.homes
    def dir = path.first
    alias default_dir dir
    def try_activate(file) = !Plumb::Gems.provide(file).nil?
    def available?(name, *requirements) = !Specification.find_all_by_name(name, *requirements).empty?
    def refresh = nil
    def requirement(given) = given.flatten.first.is_a?(Requirement) ? given.flatten.first : Requirement.new(*given.flatten)
    def ruby_version = Version.new(RUBY_VERSION)

    def missing(name, requirements)
      shown = requirement(requirements)
      total = Plumb::Gems.all.size
      names = Specification.find_all_by_name(name).map(&:full_name)
      error = MissingSpecError.new("Could not find '#{name}' (#{shown})#{names.empty? ? " among #{total} total gem(s)" : " - did find: [#{names.join(',')}]"}")
      error.name, error.requirement = name, shown
      raise error
    end
  end
end

class Module
  alias plumb_autoload autoload

  def autoload(name, file) = plumb_autoload(name, Plumb::Gems.automatic(file.respond_to?(:to_path) ? file.to_path : file.to_str))
end

module Kernel
  # Activates the newest version of a gem that meets the requirements.
  def gem(name, *requirements)
    loaded = Gem.loaded_specs[name]
    return false if loaded.nil? && Plumb::Gems::BUILT_IN.include?(name) && Gem::Specification.find_all_by_name(name).empty?
    return Gem::Specification.find_by_name(name, *requirements).activate unless loaded

    wanted = Gem.requirement(requirements)
    return false if wanted.satisfied_by?(loaded.version)

    raise Gem::LoadError, "can't activate #{name} (#{wanted}), already activated #{loaded.full_name}. Make sure all dependencies are added to Gemfile."
  end

  alias plumb_require_file require

  def require(path)
    plumb_require_file(path)
  rescue LoadError, NotImplementedError => error
    name = path.to_s
    raise if error.is_a?(LoadError) && error.path != name
    compiled = Plumb::Gems.compiled(name)
    raise LoadError, compiled if compiled
    raise if error.is_a?(NotImplementedError)

    found = Plumb::Gems.provide(name)
    stand_in = Plumb::Gems::STAND_INS[name]
    return false if stand_in && found.nil?
    raise unless found

    Object.__send__(:remove_const, stand_in) if stand_in && Object.const_defined?(stand_in)
    plumb_require_file(found)
  end
  private :require
end
