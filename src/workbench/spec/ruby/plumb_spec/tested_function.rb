module PlumbSpec
  # Ruby files of functions in modules.
  module Functions
    def self.file(folder, name)
      PlumbSpec.modulepath.flat_map { |path| Dir["#{path}/*/lib/puppet/#{folder}/#{name.gsub('::', '/')}.rb"] }.first
    end
  end

  # Functions keep nothing of the last example.
  def self.begin_functions
    Plumb::Values::HELD.clear
    Plumb::Values::NUMBERS.clear
    Plumb::Operations::INSTANCES.clear
    Puppet::Parser::Scope::CACHE.clear
    Puppet::Functions::Dispatch::Cache.clear
  end

  # A function of an example. Ruby code of modules runs in this process, where examples can replace what it calls.
  class TestedFunction
    attr_reader :func_name

    # Returns nil if there is no such function.
    def self.find(name, compilation)
      kind, = compilation.function(name)
      kind && new(name, kind, compilation)
    end

    def initialize(name, kind, compilation)
      @func_name = name
      @kind = kind
      @compilation = compilation
    end

    def execute(*arguments, &block)
      case @kind
      when 'function' then run_function(arguments, &block)
      when 'legacy' then run_legacy(arguments, &block)
      else @compilation.call(@func_name, arguments, &block)
      end
    end

    def call(_scope, *arguments, &block)
      RSpec.deprecate('subject.call', replacement: 'is_expected.to run.with().and_raise_error(), or execute()')
      execute(*arguments, &block)
    end

    # The function itself, as old examples call it.
    def func
      return self unless @kind == 'function'

      made = loaded
      function = Plumb::Operations.instance(@func_name)
      return function if calls_itself?(made)

      tested = self
      function.define_singleton_method(:call) { |_scope, *arguments, &block| tested.execute(*arguments, &block) }
      function
    end

    private

    # Functions of Puppet 3 receive empty strings for undef, and return a value only if they have one.
    def run_legacy(arguments, &block)
      unless Puppet::Parser::Functions.defined_here?(@func_name)
        raise Puppet::DevError, "The file of #{@func_name} does not define the function"
      end

      given = arguments.map { |each| Plumb::Legacy.argument(each == :undef ? nil : each) }
      value = Puppet::Parser::Scope.top.public_send(:"function_#{@func_name}", given, &block)
      Puppet::Parser::Functions.rvalue?(@func_name) ? value : nil
    end

    def run_function(arguments, &block)
      made = loaded
      instance = Plumb::Operations.instance(@func_name)
      return instance.call(Puppet::Parser::Scope.top, *arguments, &block) if calls_itself?(made)

      index = @compilation.ask('choose', [@func_name, arguments], &block)
      dispatch = made.dispatches[index]
      value = dispatch.invoke(instance, Puppet::Parser::Scope.top, frozen(arguments), &block)
      raise ArgumentError, "'#{@func_name}' #{value}" if dispatch.to_h['mismatch']

      value
    end

    def loaded
      Puppet::Functions::TABLE.fetch(@func_name) do
        Plumb::Loading.file(Functions.file('functions', @func_name))
        Puppet::Functions::TABLE.fetch(@func_name)
      end
    end

    def calls_itself?(made) = made.instance_method(:call).owner != Puppet::Pops::Functions::Function

    # Values of manifests are frozen.
    def frozen(value)
      case value
      when Array then value.each { |each| frozen(each) }.freeze
      when Hash then value.each { |key, each| [frozen(key), frozen(each)] }.freeze
      when String then value.freeze
      else value
      end
    end
  end
end
