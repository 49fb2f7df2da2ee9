# Faces and applications: commands that modules bring in puppet/face and puppet/application.
require 'optparse'

module Puppet
  # A command with actions, each with options, in the words of its author.
  class Interface
    # Texts about a face, an action or an option: told when there is an argument, asked for when there is none.
    module Documented
      %i[summary description arguments returns examples notes license short_description].each do |name|
        define_method(name) do |text = nil|
          text.nil? ? texts[name] : texts[name] = text.to_s.gsub(/^#{text.to_s[/\A[ \t]*/]}/, '')
        end
      end

      def author(*) = nil
      def copyright(*) = nil
      def deprecate = @deprecated = true
      def deprecated? = @deprecated ? true : false
      def display_global_options(*) = nil
      def texts = @texts ||= {}
    end

    # What takes options: a face for all of its actions, or one action.
    module WithOptions
      def own_options = @own_options ||= []
      def option(*declaration, &block) = own_options << Option.new(declaration, &block)
    end

    # `--size SIZE`, with what is done before and after an action that is given it.
    class Option
      include Documented
      attr_reader :declaration, :name, :before, :after, :standard

      def initialize(declaration, &block)
        @declaration = declaration
        long = declaration.find { |word| word.start_with?('--') } || declaration.first
        @name = long.sub(/\A-+(\[no-\])?/, '').sub(/[ =\[].*/, '').tr('-', '_').to_sym
        instance_eval(&block) if block
      end

      def default_to(&block) = @standard = block
      def required(value = true) = @required = value
      def required? = @required
      def before_action(&block) = @before = block
      def after_action(&block) = @after = block
    end

    # A word after the face's name.
    class Action
      include Documented
      include WithOptions
      attr_reader :name, :face, :invoked

      def initialize(face, name, &block)
        @face = face
        @name = name.to_sym
        @renderings = {}
        instance_eval(&block)
      end

      def default(value = true) = @default = value
      def default? = @default
      def when_invoked(&block) = @invoked = block

      def when_rendering(type = nil, &block)
        return @renderings[type] unless block

        Array(type).each { |each| @renderings[each.to_sym] = block }
      end

      def render_as(format = nil) = format.nil? ? @render_as : @render_as = format.to_sym
      def options = face.own_options + own_options

      # The number of arguments with the options, as of Ruby's blocks; `nil` for any number.
      def arity = invoked.arity.negative? ? nil : invoked.arity

      def call(*args)
        given = args.last.is_a?(Hash) ? args.pop : {}
        words = options.filter_map { |each| each.standard && !given.key?(each.name) ? [each.name, face.instance_exec(&each.standard)] : nil }.to_h.merge(given)
        missing = options.select { |each| each.required? && !words.key?(each.name) }.map(&:name)
        raise ArgumentError, "The following options are required: #{missing.join(', ')}" unless missing.empty?

        chosen = options.select { |each| words.key?(each.name) }
        chosen.each { |each| face.instance_exec(self, args, words, &each.before) if each.before }
        face.instance_exec(*args, words, &invoked)
      ensure
        chosen&.reverse_each { |each| face.instance_exec(self, args, words, &each.after) if each.after }
      end
    end

    include Documented
    include WithOptions
    attr_reader :name, :version

    # All faces by name.
    TABLE = {}
    PATHS = 'puppet/face'

    class << self
      def define(name, version, &block)
        face = TABLE[underscorize(name)] ||= new(name, version)
        face.instance_eval(&block) if block
        face
      end

      def [](name, version = :current)
        known = underscorize(name)
        load_face(known) unless TABLE.key?(known)
        found = TABLE.fetch(known) { raise Error, "Could not find Puppet Face #{name}" }
        raise Error, "Could not find version #{version} of #{name}" unless version == :current || found.provides?(version)

        found.load_actions
        found
      end

      def face?(name, version = :current)
        !self[name, version].nil?
      rescue Error
        false
      end

      def faces
        Plumb::Providers.files('face/*').each { |path| load_face(File.basename(path, '.rb')) }
        TABLE.keys
      end

      # Options and actions of a class of faces, which each of its faces has.
      def option(*declaration, &block) = declared << [:option, declaration, block]
      def action(name, &block) = declared << [:action, [name], block]
      def declared = @declared ||= []
      def all_declared = (superclass.respond_to?(:all_declared) ? superclass.all_declared : []) + declared

      def underscorize(name)
        raise ArgumentError, "#{name.inspect} (#{name.class}) is not a valid face name" unless name.to_s.match?(/\A[-_a-z][-_a-z0-9]*\z/i)

        name.to_s.downcase.split(/[-_]/).join('_').to_sym
      end

      private

      # Loads a face. The absence of its own file is no error; other missing files are.
      def load_face(name)
        require "#{PATHS}/#{name}"
      rescue LoadError => error
        raise unless error.message.end_with?("-- #{PATHS}/#{name}")
      rescue SyntaxError => error
        raise unless error.message.match?(%r{#{PATHS}/#{Regexp.escape(name.to_s)}\.rb:\d+: })

        Puppet.err("Failed to load face #{name}:\n#{error.message}")
      end
    end

    def initialize(name, version)
      @name = self.class.underscorize(name)
      @version = version
      @actions = {}
      self.class.all_declared.each { |kind, words, block| public_send(kind, *words, &block) }
    end

    def action(name, &block)
      made = @actions[name.to_sym] = Action.new(self, name, &block)
      define_singleton_method(name) { |*args| made.call(*args) }
    end

    # The action is no longer listed, but can be called, as in Puppet.
    def deactivate_action(name) = deactivated << name.to_sym
    def deactivated = @deactivated ||= []

    def provides?(given)
      found = SemanticPuppet::Version.parse(@version.to_s)
      given.respond_to?(:include?) && !given.is_a?(String) ? given.include?(found) : SemanticPuppet::VersionRange.parse(given.to_s).include?(found)
    end

    # Files of actions, each of which reopens the face.
    def load_actions
      return if @loaded

      @loaded = true
      Plumb::Providers.files("face/#{name}/*").each { |path| require path }
    end

    def actions = (@actions.keys - deactivated).sort
    def action?(name) = actions.include?(name.to_sym)
    def get_action(name) = @actions[name.to_sym]
    def get_default_action = @actions.values.find(&:default?)
    def options = own_options.map(&:name)
    def to_s = "Puppet::Face[#{name.inspect}, #{version.inspect}]"
  end
  Face = Interface

  # A command; most are those of a face.
  class Application
    CommandLine = Struct.new(:subcommand_name, :args)
    attr_reader :command_line, :options

    class << self
      def option_declarations = @option_declarations ||= (superclass.respond_to?(:option_declarations) ? superclass.option_declarations.dup : [])
      def option(*declaration, &block) = option_declarations << [declaration, block]
      def run_mode(name = nil) = name ? @run_mode = name.to_sym : @run_mode || (superclass.respond_to?(:run_mode) ? superclass.run_mode : :user)
      def environment_mode(*) = nil

      def find(name)
        begin
          require "puppet/application/#{name.to_s.downcase}"
        rescue LoadError => error
          raise error, "Unable to find application '#{name}'. #{error.message}", error.backtrace
        end
        named = name.to_s.split('_').map(&:capitalize).join
        return const_get(named) if const_defined?(named)

        raise Error, "Unable to load application class '#{named}' from file 'puppet/application/#{name}.rb'"
      end

      def [](name) = find(name).new
    end

    def initialize(command_line = CommandLine.new(nil, []))
      @command_line = command_line
      @options = {}
    end

    def app_defaults = {}
    def initialize_app_defaults = nil
    def name = self.class.name.split('::').last.gsub(/(?<=[a-z])[A-Z]/) { |letter| "_#{letter}" }.downcase.to_sym
    def preinit = nil
    def setup = nil
    def set_log_level(*) = nil
    def summary = ''
    def help = summary

    def parse_options
      self.class.option_declarations.each { |declaration, block| declare(declaration, block) }
      parser.on('--help', '-h') { say_help }
      parser.parse!(command_line.args)
    end

    def run_command = main

    def run
      Puppet::RunMode.name = self.class.run_mode
      step('Could not initialize') { preinit }
      step('Could not parse application options') { parse_options }
      step('Could not prepare for execution') { setup }
      step('Could not run') { run_command }
    end

    private

    def step(failure)
      yield
    rescue StandardError, ScriptError => error
      Puppet.log_exception(error, "#{failure}: #{error.message}")
      exit(1)
    end

    def parser = @parser ||= OptionParser.new

    def say_help
      puts help
      exit(0)
    end

    # What a block does, a method of the option's name, or else its value among the options.
    def declare(declaration, block)
      name = Interface::Option.new(declaration).name
      handler = "handle_#{name}"
      parser.on(*declaration) do |value|
        if block then instance_exec(value, &block)
        elsif respond_to?(handler) then public_send(handler, value)
        else options[name] = value
        end
      end
    end

    # Runs the actions of the face of its name.
    class FaceBase < Application
      attr_reader :face, :action, :arguments

      def summary = face_of_name.summary.to_s
      def help = Plumb::FaceHelp.of(face_of_name)

      def parse_options
        @face = face_of_name
        every_option.each { |each| parser.on(*each.declaration) { |value| options[each.name] = value } }
        parser.on('--render-as FORMAT') { |format| @format = Plumb::Rendering.named(format) }
        parser.on('--help', '-h') { @help = true }
        self.class.option_declarations.each { |declaration, block| declare(declaration, block) }
        words = parser.parse(command_line.args)
        @action = face.get_action(words.first.to_s)
        @action ? words.shift : @action = face.get_default_action
        say_help_of_face if @help
        refuse(words.first) unless @action
        @arguments = [*words, options]
      end

      def main
        refuse_count if action.arity && action.arity.positive? && arguments.size != action.arity
        Puppet.deprecation_warning("'puppet #{face.name}' is deprecated and will be removed in a future release") if face.deprecated?
        result = face.public_send(action.name, *arguments)
        puts render(result) unless result.nil?
        exit(true)
      rescue StandardError => error
        Puppet.log_exception(error)
        Puppet.err("Try 'puppet help #{face.name} #{action.name}' for usage")
        exit(false)
      end

      private

      def face_of_name = Face[name, :current]
      def every_option = (face.own_options + face.actions.flat_map { |each| face.get_action(each).own_options }).uniq(&:name)

      def say_help_of_face
        puts Plumb::FaceHelp.of(face, action && command_line.args.include?(action.name.to_s) ? action : nil)
        exit(0)
      end

      def refuse(word)
        what = word.nil? ? 'default' : "'#{word}'"
        Puppet.err("'#{face.name}' has no #{what} action.  See `puppet help #{face.name}`.")
        exit(false)
      end

      def refuse_count
        takes = action.arity - 1
        raise ArgumentError, "puppet #{face.name} #{action.name} takes #{takes} argument#{'s' unless takes == 1}, but you gave #{arguments.size - 1}"
      end

      def render(result)
        format = @format || action.render_as || :console
        hook = action.when_rendering(format)
        result = hook.arity > 1 ? face.instance_exec(result, *arguments, &hook) : face.instance_exec(result, &hook) if hook
        Plumb::Rendering.render(result, format)
      end
    end
  end
end
%w[face interface application application/face_base].each { |name| $LOADED_FEATURES.push("puppet/#{name}.rb") }
