# Functions that modules define: those of Puppet 3's kind are methods of the scope, those of 4's are classes.
module Puppet
  module Parser
    module Functions
      Error = Puppet::Error
      NOT_AN_ARRAY = 'custom functions must be called with a single array that contains the arguments. ' \
                     'For example, function_example([1]) instead of function_example(1)'
      Known = Struct.new(:type, :arity, :doc)
      TABLE = {}
      LOADED = {}
      # By the name of a file's function: the other functions that the file defines.
      OTHERS = {}
      # Those that Puppet has of this kind, or in its place. Puppet: parser/functions/.
      BUILT_IN = %i[
        alert assert_type binary_file break contain create_resources crit debug defined dig digest each emerg epp err fail
        file filter find_file fqdn_rand generate hiera hiera_array hiera_hash hiera_include include info inline_epp
        inline_template lest lookup map match md5 new next notice realize reduce regsubst require return reverse_each
        scanf sha1 sha256 shellquote slice split sprintf step strftime tag tagged template then type versioncmp warning with
      ].freeze

      module_function

      def newfunction(name, options = {}, &block)
        name = name.to_sym
        arity = options[:arity] || -1
        TABLE[name] = Known.new((options[:type] || :statement).to_sym, arity, options[:doc])
        (OTHERS[@loading] ||= []) << name.to_s if @loading && @loading != name
        real = :"real_function_#{name}"
        Scope.define_method(real, &block)
        Scope.define_method(:"function_#{name}") do |*arguments, &given|
          raise ArgumentError, NOT_AN_ARRAY unless arguments.size == 1 && arguments[0].is_a?(Array)

          Functions.check_arity(name, arity, arguments[0].size)
          Plumb::Notes.add('runs', name.to_s)
          __send__(real, arguments[0], &given)
        end
        name
      end

      def check_arity(name, arity, given)
        if arity >= 0 && given != arity
          raise ArgumentError, "#{name}(): Wrong number of arguments given (#{given} for #{arity})"
        elsif arity.negative? && given < arity.abs - 1
          raise ArgumentError, "#{name}(): Wrong number of arguments given (#{given} for minimum #{arity.abs - 1})"
        end
      end

      # The method of the scope that runs a function of this kind, loaded if need be.
      def function(name, _environment = nil)
        defined_here?(name) || BUILT_IN.include?(name.to_sym) ? "function_#{name}" : false
      end

      def defined_here?(name)
        name = name.to_sym
        load_once(name) unless TABLE.key?(name) || LOADED.key?(name)
        TABLE.key?(name)
      end

      def load_once(name)
        outer = @loading
        LOADED[name] = true
        path = Plumb::Bridge.ask('legacy_function', name.to_s)
        @loading = name
        Plumb::Loading.file(path) if path
      rescue Exception
        LOADED.delete(name)
        raise
      ensure
        @loading = outer
      end

      def rvalue?(name, _environment = nil) = defined_here?(name) && TABLE[name.to_sym].type == :rvalue
      def arity(name, _environment = nil) = defined_here?(name) ? TABLE[name.to_sym].arity : -1
      def rmfunction(name, _environment = nil) = TABLE.delete(name.to_sym)
      def autoloader = Autoloader
      def environment_module(_environment = nil) = Scope

      module Autoloader
        def self.load(name, *) = Functions.function(name)
        def self.loaded?(name, *) = TABLE.key?(name.to_s.split('/').last.to_sym)
        def self.loadall(*) = nil
        def self.delegatee = self
      end
    end
  end

  module Pops
    module Functions
      # For a function that defines `call` and chooses a signature itself.
      Dispatcher = Struct.new(:function) do
        def dispatch(instance, scope, arguments, &block)
          shown = arguments.map { |each| each.is_a?(Puppet::Parser::Scope) ? nil : each }
          index = Plumb::Bridge.ask('dispatch', function.name, shown, *block)
          function.dispatches[index].invoke(instance, scope, arguments, &block)
        end
      end

      class Function
        class << self
          attr_accessor :function_name, :dispatches, :named_types

          def name = function_name || super
          def loader = nil
          def dispatcher = Dispatcher.new(self)
        end

        attr_reader :closure_scope

        def initialize(closure_scope, _loader = nil)
          @closure_scope = closure_scope
        end

        def loader = nil

        def call(scope, *arguments, &block)
          Plumb::Bridge.ask('call', scope.id, self.class.name, arguments, *block)
        end

        def call_function(name, *arguments, &block)
          Plumb::Bridge.ask('call', closure_scope.id, name.to_s, arguments, *block)
        end
      end
    end
  end

  module Functions
    TABLE = {}

    class Function < Pops::Functions::Function
      class << self
        def dispatch(method, &block)
          (self.dispatches ||= []) << Dispatch.new(method, false).read(&block)
        end

        def argument_mismatch(method, &block)
          (self.dispatches ||= []) << Dispatch.new(method, true).read(&block)
        end

        def local_types(&block)
          types = LocalTypes.new
          types.instance_eval(&block)
          self.named_types = types.found
        end
      end
    end

    class InternalFunction < Function; end
    class PuppetFunction < Function; end
    class DataFunction < Function; end

    class LocalTypes
      attr_reader :found

      def initialize = @found = []
      def type(text) = @found << text
    end

    # One signature of a function.
    class Dispatch
      attr_reader :method, :parameters, :weaving, :block, :returns

      def initialize(method, mismatch)
        @method = method.to_s
        @mismatch = mismatch
        @parameters = []
        @weaving = []
      end

      def read(&block)
        instance_eval(&block)
        self
      end

      def param(type, name) = add('one', type, name)
      alias required_param param
      def optional_param(type, name) = add('optional', type, name)
      def repeated_param(type, name) = add('any', type, name)
      alias optional_repeated_param repeated_param
      def required_repeated_param(type, name) = add('some', type, name)

      def block_param(*type_and_name)
        raise ArgumentError, 'Attempt to redefine block' if @block

        @block = { 'type' => type_and_name.size == 2 ? type_and_name[0].to_s : 'Callable', 'optional' => false, 'name' => (type_and_name.last || 'block').to_s }
      end
      alias required_block_param block_param

      def optional_block_param(*type_and_name)
        block_param(*type_and_name)
        @block['optional'] = true
      end

      def return_type(type)
        @returns = type.to_s
      end

      def scope_param = @weaving << :scope
      def cache_param = @weaving << :cache
      def compiler_param = @weaving << :compiler
      def script_compiler_param = @weaving << :compiler

      def to_h
        { 'mismatch' => @mismatch, 'method' => @method, 'parameters' => @parameters, 'block' => @block, 'returns' => @returns }
      end

      # The arguments in the order of the method's parameters, with what it wants beside them.
      def woven(scope, arguments)
        @weaving.flat_map do |each|
          case each
          when :scope then [scope]
          when :cache then [Cache.tap { Plumb::Notes.spoil('has a cache') }]
          when :compiler then [scope.compiler]
          when Integer then each.negative? ? arguments.drop(-each - 1) : arguments[each, 1] || []
          end
        end
      end

      def invoke(instance, scope, arguments, &block)
        instance.__send__(@method, *woven(scope, arguments), &block)
      end

      # What functions keep for one catalog: `cache.retrieve(self)` is a hash of the function's own.
      module Cache
        @all = {}.compare_by_identity

        def self.retrieve(owner) = @all[owner] ||= {}
        def self.clear = @all.clear
      end

      private

      def add(count, type, name)
        unless type.is_a?(String) || type.is_a?(Pops::Types::PAnyType)
          raise ArgumentError, "Parameter 'type' must be a String reference to a Puppet Data Type. Got #{type.class}"
        end
        raise ArgumentError, 'Parameters cannot be added after a block parameter' if @block
        raise ArgumentError, 'Parameters cannot be added after a repeated parameter' if %w[any some].include?(@parameters.last&.fetch('count'))
        if %w[one some].include?(count) && @parameters.last&.fetch('count') == 'optional'
          raise ArgumentError, "A required #{'repeated ' if count == 'some'}parameter cannot be added after an optional parameter"
        end

        @weaving << (%w[any some].include?(count) ? -@parameters.size - 1 : @parameters.size)
        @parameters << { 'count' => count, 'type' => type.to_s, 'name' => name.to_s }
      end
    end

    def self.create_function(name, base = Function, &block)
      create_loaded_function(name, nil, base, &block)
    rescue StandardError => error
      raise ArgumentError, "Function Load Error for function '#{name}': #{error.message}"
    end

    def self.create_loaded_function(name, _loader, base = Function, &block)
      made = Class.new(base)
      made.function_name = name.to_s
      made.class_eval(&block)
      made.dispatches = [default_dispatch(made, name.to_s.split('::').last)] if made.dispatches.nil? || made.dispatches.empty?
      TABLE[name.to_s] = made
    end

    COUNTS = { req: 'one', opt: 'optional', rest: 'any' }.freeze

    def self.default_dispatch(made, method)
      unless made.method_defined?(method)
        raise ArgumentError, "Function Creation Error, cannot create a default dispatcher for function '#{method}', no method with this name found"
      end

      dispatch = Dispatch.new(method, false)
      made.instance_method(method).parameters.each do |kind, name|
        dispatch.__send__(:add, COUNTS[kind], 'Any', name) if COUNTS.key?(kind)
      end
      dispatch
    end
  end
end

module Plumb
  # Arguments as functions of Puppet 3's kind get them. Puppet: pops/evaluator/runtime3_converter.rb.
  module Legacy
    module_function

    def argument(value, inner = false)
      case value
      when nil then inner ? nil : ''
      when String then value.frozen? ? value.dup : value
      when Array then value.map { |each| argument(each, true) }
      when Hash then value.to_h { |key, each| [argument(key, true), argument(each, true)] }
      when Regexp then value.inspect
      when SemanticPuppet::Version, SemanticPuppet::VersionRange, Values::Binary, Values::TIME::TimeData then value.to_s
      when Puppet::Pops::Types::PClassType then Puppet::Resource.new('class', value.class_name)
      when Puppet::Pops::Types::PResourceType then Puppet::Resource.new(value.type_name.to_s, value.title || '')
      else value
      end
    end
  end
end
