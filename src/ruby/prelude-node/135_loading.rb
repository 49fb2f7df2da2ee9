# Types and providers, found in the load path.
module Plumb
  # Keeps the folder of an installed Puppet, which would replace the classes of this prelude, out of the load path. Debian's gems
  # add it, since they are in the same folder; `require` finds their files without it.
  module LoadPath
    %i[push append unshift prepend].each do |name|
      define_method(name) { |*paths| super(*paths.reject { |path| puppet?(path) }) }
    end

    def <<(path) = push(path)
    def insert(at, *paths) = super(at, *paths.reject { |path| puppet?(path) })
    def concat(*lists) = super(*lists.map { |paths| paths.reject { |path| puppet?(path) } })

    private

    def puppet?(folder) = File.file?("#{folder}/puppet/version.rb")
  end
  $LOAD_PATH.extend(LoadPath)

  module Providers
    BY_TYPE = {}
    LOADED = {}

    module_function

    # Those of a type that are loaded, by name.
    def of(type) = BY_TYPE[type.to_sym] ||= {}
    def files(pattern) = Plumb.module_folders.flat_map { |folder| Dir.glob("#{folder}/puppet/#{pattern}.rb").sort }
    def load(type, name) = files("provider/#{type}/#{name}").first(1).each { |path| load_file(path, "puppet/provider/#{type}/#{name}") }

    # A file of a name that an earlier folder has is not loaded.
    def load_all(type, *)
      files("provider/#{type}/*").uniq { |path| File.basename(path) }.each { |path| load_file(path, path[%r{puppet/provider/.*}].delete_suffix('.rb')) }
    end
    alias loadall load_all
    module_function :loadall

    # A provider that cannot be loaded is not there; all others are. Of types that are built in, hardly any is used.
    def load_file(path, name)
      return if LOADED.key?(path)

      LOADED[path] = true
      Kernel.load(path)
    rescue StandardError, ScriptError => error
      level = Puppet::Type.builtin_shape(name[%r{provider/(\w+)}, 1]) ? :debug : :err
      Puppet.public_send(level, "Could not autoload #{name}: #{error.message}")
    end
  end
end

module Puppet
  class Type
    class << self
      def type_file(name) = Plumb::Providers.files("type/#{name}").first
      def builtin_shape(name) = Plumb::Node.ask('builtin_type', name.to_s)

      # All of them, for who lists types.
      def loadall = Plumb::Providers.files('type/*').each { |path| type(File.basename(path, '.rb')) }

      def provided?(name)
        Plumb::Providers.load_all(name)
        !Plumb::Providers.of(name).empty?
      end
    end
  end

  module Util
    # Files of code that are found by name, for modules that have kinds of plug-ins of their own.
    class Autoload
      attr_reader :object, :path

      def initialize(object, path, **)
        @object = object
        @path = path
      end

      def load(name, *) = loaded_from(Plumb::Providers.files("../#{@path}/#{name}").first)
      def loadall(*) = Plumb::Providers.files("../#{@path}/*").each { |path| loaded_from(path) }
      def loaded?(name) = $LOADED_FEATURES.any? { |path| path.end_with?("/#{@path}/#{name}.rb") }
      def files_to_load(*) = Plumb::Providers.files("../#{@path}/*")

      private

      def loaded_from(path) = path ? require(File.expand_path(path)) || true : false
    end
  end
end
$LOADED_FEATURES.push('puppet/util/autoload.rb', 'puppet/util/feature.rb')
