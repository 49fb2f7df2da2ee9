# RubyGems finds gems of modules and of this node in addition to its own. Files of an installed Puppet are never loaded.
module Plumb
  module Gems
    # Constants that replace a missing gem, by the required file.
    STAND_INS = {}

    module_function

    # Adds the folders of gems, once the load path and settings of a run are known.
    def add_folders
      @homes = homes
      Gem.use_paths(Gem.dir, [*@homes, *Gem.path].uniq) unless @homes.empty?
    end

    # Adds a gem without a valid gemspec, such as one that a module contains, to the load path. Returns nil if none has the file.
    def provide(name)
      found = Dir.glob([*@homes].map { |home| "#{home}/gems/*/lib/#{name.delete_suffix('.rb')}.rb" }, sort: false).max_by { |path| [-@homes.index { |home| path.start_with?("#{home}/") }, path] }
      folder = found&.slice(%r{\A.*/gems/[^/]+/lib(?=/)})
      return if folder.nil? || $LOAD_PATH.include?(folder)

      $LOAD_PATH.push(folder)
      found
    end

    # Returns the file of a module or of our library.
    def find(name)
      [*Plumb.module_folders, LIBRARY].map { |path| "#{path}/#{name.delete_suffix('.rb')}.rb" }.find { |path| File.file?(path) }
    end

    # Loads a gem in place of the constant that replaces it. Without the gem, the constant stays.
    def instead_of(constant)
      stand_in = Object.__send__(:remove_const, constant) if Object.const_defined?(constant)
      value = yield
      STAND_INS.delete_if { |_, each| each == constant }
      value
    rescue LoadError
      Object.const_set(constant, stand_in) unless stand_in.nil? || Object.const_defined?(constant)
      false
    end

    # True if the prelude or a module has loaded the file.
    def loaded?(name) = $LOADED_FEATURES.include?("#{name.delete_suffix('.rb')}.rb")

    def missing(name)
      LoadError.new("cannot load such file -- #{name}").tap { |error| error.define_singleton_method(:path) { name } }
    end
  end

  Operations.singleton_class.prepend(Module.new { def begin_node(options) = super.tap { Gems.add_folders } })
end

module Kernel
  alias plumb_require_file require

  def require(path)
    name = path.to_s
    if name.match?(Plumb::Gems::OWN_FILES)
      return false if Plumb::Gems.loaded?(name)

      return plumb_require_file(Plumb::Gems.find(name) || raise(Plumb::Gems.missing(name)))
    end

    stand_in = Plumb::Gems::STAND_INS[name]
    return Plumb::Gems.instead_of(stand_in) { plumb_require_file(path) } if stand_in

    begin
      plumb_require_file(path)
    rescue LoadError => error
      raise if error.path != name || Plumb::Gems.provide(name).nil?

      plumb_require_file(path)
    end
  end
  private :require
end
