# How Ruby and the host call each other. Every call from the host runs in a fiber; what it asks of the host is yielded
# out of it, so that no frame of the host's is ever below one of Ruby's: exceptions, throw, fibers and the garbage
# collector work at any depth. Inside a fiber of a module's own that cannot be: there the host answers at once, and may
# not call Ruby for it.
module Plumb
  # An error of the host's, on its way through Ruby back to the host.
  class HostError < Puppet::PreformattedError
    attr_reader :id, :place

    # `place`: the file and the line, where it was Ruby that raised it.
    def initialize(id, message, place)
      super(message)
      @id = id
      @place = place
    end
  end

  # `break`, `next` and `return` of a manifest's lambda: not for modules to rescue.
  class HostSignal < Exception
    attr_reader :id

    def initialize(id)
      super('left by break, next or return')
      @id = id
    end
  end

  # `not_found` of a data function: caught right where that was called, as WebAssembly's Ruby never gives back some
  # memory of an exception that goes through more of C's frames. Its message is the number of the context.
  class NotFound < Exception; end

  module Bridge
    # Objects whose garbage is worth the 10 ms that it takes to look for it.
    MANY = 20_000
    # Questions for which the host may call Ruby. All others are answered at once, without leaving the fiber: each time
    # that one is left and entered again, something stays on its stack.
    REENTERING = %w[call lambda method legacy_function type type_known has_resource].freeze
    # Operations that give a value of a module's, whose parts may be the same in several places.
    GIVING = %w[call_function call_itself call_legacy_function call_block].freeze
    WRITER = JSON::State.new(max_nesting: 0)
    TASKS = {}
    @last = 0
    @current = nil
    @collected = 0

    class << self
      # A call from the host.
      def start
        message = read
        collect(message[0])
        Values::Sensitive::OPENED.clear if TASKS.empty?
        fiber = Fiber.new { |first| run(first) }
        id = @last += 1
        TASKS[id] = fiber
        step(id, fiber, message)
      end

      # An answer of the host's.
      def resume
        id, *answer = read
        step(id, TASKS.fetch(id), answer)
      end

      # A call from the host for what asks nothing.
      def alone
        write(run(read))
        nil
      end

      # What the host answers to a question.
      def ask(name, *arguments)
        Notes.tell if REENTERING.include?(name)
        message = [name, *arguments.map { |each| Values.out(each) }]
        answered(REENTERING.include?(name) && Fiber.current.equal?(@current) ? leave(message) : ask_at_once(message))
      end

      def ask_at_once(message)
        write(['at_once', *message])
        read
      end

      # The file and the line of a module's code where an error arose, or else what led to it.
      def place(error)
        return error.place if error.is_a?(HostError) && error.place[0]

        frame = error.backtrace&.find { |each| !each.start_with?(*OWN_FOLDERS, '<internal:') }
        return frame.split(':', 3).first(2) if frame

        error.cause ? place(error.cause) : []
      end

      private

      # Leaves the fiber with a question, for which the host may call Ruby. Returns the answer.
      def leave(message) = Fiber.yield([:ask, message])

      # Before a catalog, all the garbage of the last one; within a catalog Ruby collects as it likes.
      def collect(operation)
        return unless operation == 'begin_catalog' && TASKS.empty?
        return if GC.stat(:total_allocated_objects) - @collected < MANY

        GC.start
        @collected = GC.stat(:total_allocated_objects)
      end

      def step(id, fiber, message)
        previous = @current
        @current = fiber
        kind, *rest = fiber.resume(message)
        @current = previous
        if kind == :ask
          write(['ask', id, *rest[0]])
        else
          TASKS.delete(id)
          write([kind.to_s, *rest])
        end
        nil
      end

      # What comes of a call, and behind it what the call noted.
      def run(message)
        name, *arguments = message
        given = arguments.map { |each| Values.in(each) }
        value = Handed.within { Operations.public_send(name, *given) }
        value = GIVING.include?(name) ? Values.out_shared(value) : Values.out(value)
        Verdict.moved
        [:ok, value, *Notes.take]
      rescue HostError, HostSignal => error
        tell
        [:host, error.id]
      rescue NotFound => left
        tell
        [:host, ask_at_once(['method', left.message.to_i, 'not_found', ['l']])[1]]
      rescue Exception => error
        tell
        failure(error)
      end

      def tell
        Verdict.moved
        Notes.tell
      end

      def failure(error)
        file, line = place(error)
        [:error, error.class.name || 'Exception', Values.text(Values::Sensitive.redacted(error.message.to_s)), file, line.to_i]
      rescue Exception
        [:error, error.class.name || 'Exception', 'an error without a message', nil, 0]
      end

      def answered(answer)
        case answer[0]
        when 'ok' then Values.in(answer[1])
        when 'signal' then raise HostSignal, answer[1]
        else raise HostError.new(answer[1], answer[2], answer.drop(3))
        end
      end

      def read = parsed(Channel.read)

      # Options take four times as long as a short message does; without them there is a bound to levels.
      def parsed(text)
        JSON::Parser.new(text).parse
      rescue JSON::NestingError
        JSON.parse(text, max_nesting: false)
      end

      def write(message)
        Channel.write(WRITER.generate(message))
      end
    end
  end

  # What the host may call.
  module Operations
    INSTANCES = {}

    module_function

    # Before the first call for a catalog: nothing of the one before is kept.
    def begin_catalog(load_path, debug)
      Puppet.debugging = debug
      Values::HELD.clear
      Values::SHARED.clear
      Values::NUMBERS.clear
      Puppet::Parser::Scope::CACHE.clear
      INSTANCES.clear
      Puppet::Functions::Dispatch::Cache.clear
      Puppet::Pops::Lookup::Context.forget
      Drives.begin if load_path.any? { |path| Drives.drive?(path) }
      load_path.reverse_each { |path| $LOAD_PATH.unshift(path) unless $LOAD_PATH.include?(path) }
      nil
    end

    # Code as such, for tests and tools.
    def evaluate(code, path)
      eval(code, TOPLEVEL_BINDING.dup, path, 1)
    end

    def template(scope, names)
      Templates.render_named(Puppet::Parser::Scope.of(scope), names)
    end

    # A template that was found; its text, if the host could read it.
    def render(scope, name, path, text)
      Templates.render(Puppet::Parser::Scope.of(scope), name) { |wrapper| wrapper.read(path, text) }
    end

    def inline_template(scope, texts)
      Templates.render_inline(Puppet::Parser::Scope.of(scope), texts)
    end

    # Loads a function; what it takes. Nothing when the file defines another one.
    def load_function(name, path)
      Loading.file(path) unless Puppet::Functions::TABLE.key?(name)
      made = Puppet::Functions::TABLE[name]
      return unless made

      calls_itself = made.instance_method(:call).owner != Puppet::Pops::Functions::Function
      { 'types' => made.named_types || [], 'dispatches' => made.dispatches.map(&:to_h), 'calls_itself' => calls_itself }
    end

    # The value in a list; an empty one where a data function has none. The host may know of a function that is not loaded.
    def call_function(name, path, index, scope, arguments, block = nil)
      Loading.file(path) unless Puppet::Functions::TABLE.key?(name)
      [Puppet::Functions::TABLE[name].dispatches[index].invoke(instance(name), Puppet::Parser::Scope.of(scope), arguments, &block)]
    rescue NotFound
      none_in(arguments)
    end

    # A function that defines `call`.
    def call_itself(name, path, scope, arguments, block = nil)
      Loading.file(path) unless Puppet::Functions::TABLE.key?(name)
      [instance(name).call(Puppet::Parser::Scope.of(scope), *arguments, &block)]
    rescue NotFound
      none_in(arguments)
    end

    # For the host to judge code by: see Verdict.
    def instructions(text, template) = Verdict.instructions_of(text, template)
    def constants(named) = Verdict.constants(named)
    def known_methods = Known::METHODS.keys.map(&:to_s)

    def restore_cache(owner, entries)
      Puppet::Pops::Lookup::Context.restore(owner, entries)
    end

    def forget_files(paths)
      Puppet::Pops::Lookup::Context.forget_files(paths)
      nil
    end

    # Only who gave a context can be told in this way.
    def none_in(arguments)
      arguments.any?(Puppet::Pops::Lookup::Context) ? [] : raise
    end

    def instance(name)
      INSTANCES[name] ||= Puppet::Functions::TABLE.fetch(name).new(Puppet::Parser::Scope.top, nil)
    end

    # What a function of Puppet 3's kind is: whether it gives a value, how many arguments it takes, and the other functions that
    # its file defines.
    def load_legacy_function(name)
      return nil unless Puppet::Parser::Functions.defined_here?(name)

      known = Puppet::Parser::Functions::TABLE[name.to_sym]
      { 'value' => known.type == :rvalue, 'arity' => known.arity, 'others' => Puppet::Parser::Functions::OTHERS[name.to_sym] || [] }
    end

    def call_legacy_function(name, scope, arguments, block = nil)
      converted = arguments.map { |each| Legacy.argument(each) }
      result = Puppet::Parser::Scope.of(scope).public_send("function_#{name}", converted, &block)
      Puppet::Parser::Functions::TABLE[name.to_sym].type == :rvalue ? result : nil
    end

    # A type of resources as plain data; nothing when no file defines it.
    def reflect_type(name)
      type = Puppet::Type.type(name)
      type && Reflection.of(type)
    end

    # What is wrong with the Ruby of a file, or of a template, that is only read: the line, the column and why.
    def check_syntax(text, template)
      code, first = template ? [Puppet::Util.create_erb(text).src, 0] : [text, 1]
      RubyVM::InstructionSequence.compile(code, 'code', 'code', first)
      nil
    rescue SyntaxError => error
      marked = /^(> *\d+ \| ).*\n( +\| *)\^~* (.*)/.match(error.message)
      line = [error.message[/\Acode:(\d+):/, 1].to_i, 1].max
      return [line, 1, error.message.lines.first.chomp] unless marked

      [line, template ? 1 : marked[2].size - marked[1].size + 1, marked[3]]
    end

    # The calls of a Ruby file that define documented items, as JSON; or the line and the message of a syntax error.
    def read_syntax_trees(text, most)
      require "#{Plumb::LIBRARY}/syntax_trees"
      SyntaxTrees.read(text, most)
    end

    # What a Puppetfile declares, as JSON.
    def read_puppetfile(text, path, environment, branch, most)
      Puppetfiles.read(text, path, environment, branch, most)
    end

    # Schemas of transports, as JSON; load path and files come as JSON, too.
    def transport_schemas(environment, load_path, files)
      Transports.schemas(environment, JSON.parse(load_path), JSON.parse(files))
    end

    # Nothing; raises what is wrong with a regular expression.
    def check_regexp(source)
      Regexps.of(source) && nil
    end

    def search_regexp(source, text, from, all)
      Regexps.search(source, text, from, all)
    end

    def changed_title_part(type, pattern, part, text)
      Reflection.changed_part(type, pattern, part, text)
    end

    def call_block(id, arguments)
      Values::HELD.fetch(id).call(*arguments)
    end
  end
end
