# ERB templates. The code of each is compiled once, as a method of the wrapper it runs in.
module Puppet
  module Parser
    class TemplateWrapper
      include Puppet::Util::Logging

      def initialize(scope)
        @__scope__ = scope
      end

      def scope = @__scope__
      def file = @__file__
      def has_variable?(name) = scope.include?(name.to_s)
      def classes = scope.catalog.classes
      def all_tags = scope.catalog.tags
      def tags = raise(NotImplementedError, "Call 'all_tags' instead.")
      def to_s = "template[#{@__file__ || 'inline'}]"

      def file=(name)
        @__file__ = Files.find_template(name) or raise Puppet::ParseError, "Could not find template '#{name}'"
      end

      # What the host has read already.
      def read(path, text)
        @__file__ = path
        @__text__ = text&.delete_prefix("\uFEFF")
      end

      def result(text = nil)
        template = Plumb::Templates.compiled(text || @__text__ || FileSystem.read_preserve_line_endings(@__file__), text ? nil : @__file__)
        values = Plumb::Bridge.ask('variables', scope.id, template.variables)
        values.each { |name, value| expose(name, value) }
        return __send__(template.method) unless template.mutating

        before = values.transform_values { |value| Plumb::Templates.content(value) }
        text = __send__(template.method)
        values.each do |name, value|
          Plumb::Bridge.ask('changed', scope.id, name, value) if Plumb::Templates.content(value) != before[name]
        end
        text
      end

      private

      # What no name of Ruby's may have becomes `_`, as Puppet does it; one that begins with a digit cannot be said.
      def expose(name, value)
        instance_variable_set("@#{name.gsub(/\W/, '_')}", value) unless name.match?(/\A(?:\d|\z)/)
      end
    end
  end
end

module Plumb
  module Templates
    Template = Struct.new(:method, :variables, :mutating, :naming)
    MOST = 2000
    COMPILED = {}
    # Code that says these may look at any variable, not only at those that it names.
    REFLECTIVE = /instance_variable|\bbinding\b|\beval\b/
    # What calls by a name that a text may hold, or runs a text.
    BY_NAME = /send\z|method|eval\z|\Atry\z/
    # Code that says these may change an array or a hash in place, and so the variable it came from.
    MUTATING = /<<|\.(?:push|append|prepend|concat|unshift|shift|pop|insert|delete\w*|clear|store|update|replace|\w+!)|\]\s*=[^=~>]/
    # A lookup of one name in the hash of all variables.
    NAMING = /\.to_hash(?:\[[^\[\]]*\](?!\s*(?:=[^=~>]|[-+*\/|&]{1,2}=|<<))|\.(?:has_key\?|key\?|include\?|member\?|fetch|dig)(?=[( ]))/
    # Templates by the names of their methods.
    METHODS = {}
    @count = 0

    # By text and path: a template that changed is another one.
    def self.compiled(text, path)
      COMPILED[[text, path]] ||= compile(text, path)
    end

    def self.compile(text, path)
      forget(COMPILED.first[0]) if COMPILED.size >= MOST
      name = "__template_#{@count += 1}"
      define(name, Puppet::Util.create_erb(text), path || '(erb)')
      code = CodeOnly.of(text)
      mutating = code.match?(MUTATING)
      reflects = reflects?(code)
      naming = !reflects && code.include?('to_hash') && code.scan('to_hash').size == code.scan(NAMING).size
      METHODS[name] = Template.new(name, reflects ? nil : variables(code, mutating), mutating, naming)
    end

    # True for a template that uses the hash of all variables only to look up names in it.
    def self.names_variables?(place)
      METHODS[place.base_label]&.naming
    end

    # What is no Ruby is said of the template alone: not of the method that it would be, which ends a line later.
    def self.define(name, template, path)
      template.def_method(Puppet::Parser::TemplateWrapper, name, path)
    rescue SyntaxError
      RubyVM::InstructionSequence.compile(template.src, path, path, 0)
      raise
    end

    # The code of a template, without the text around it: ERB's own compiler, with nothing to print.
    class CodeOnly < ERB::Compiler
      def self.of(text) = new('-').compile(text)[0].force_encoding(text.encoding)

      # The ends of lines end comments.
      def add_put_cmd(out, content) = out.push("\n" * content.count("\n"))
    end

    # Whether code looks at more variables than it names; what comments and texts say does not count, but for texts that
    # may be a name to call. What is no Ruby does, too.
    def self.reflects?(code)
      return false unless code.match?(REFLECTIVE)

      names, texts = words(code)
      names.any? { |name| name.match?(REFLECTIVE) } ||
        (names.any? { |name| name.match?(BY_NAME) } && texts.any? { |text| text.match?(REFLECTIVE) })
    rescue StandardError, SyntaxError
      true
    end

    # The names and the texts in code.
    def self.words(code)
      verbose, $VERBOSE = $VERBOSE, nil
      names, texts, waiting = [], [], [RubyVM::AbstractSyntaxTree.parse("def template\n#{code}\nend")]
      while (each = waiting.pop)
        case each
        when Symbol then names << each
        when String then texts << each
        when Array then waiting.concat(each.compact)
        when RubyVM::AbstractSyntaxTree::Node then waiting.concat(each.children.compact)
        end
      end
      [names, texts]
    ensure
      $VERBOSE = verbose
    end

    # What a template may read: `facts`, or `["facts", "os", "family"]` where it says `@facts['os']['family']`: facts are
    # many, and change from one run to the next.
    def self.variables(code, whole)
      named = code.scan(/@([A-Za-z_]\w*)((?:\[(?:'[^'\\]*'|"[^"\\#]*")\])*)/)
      named.map { |name, keys| whole || keys.empty? ? name : [name, *keys.scan(/['"](.*?)['"]\]/).flatten] }.uniq
    end

    # What tells whether a value was changed; only arrays and hashes can be.
    def self.content(value)
      value.is_a?(Array) || value.is_a?(Hash) ? JSON.generate(Values.out(value), max_nesting: 0) : nil
    end

    def self.forget(key)
      name = COMPILED.delete(key).method
      METHODS.delete(name)
      Puppet::Parser::TemplateWrapper.remove_method(name)
    end

    def self.render_named(scope, names)
      names.map { |name| render(scope, name) { |wrapper| wrapper.file = name } }.join
    end

    # Puppet: parser/functions/template.rb.
    def self.render(scope, name)
      wrapper = Puppet::Parser::TemplateWrapper.new(scope)
      yield wrapper
      begin
        wrapper.result
      rescue StandardError, SyntaxError => error
        file, line = error.is_a?(SyntaxError) ? [wrapper.file, error.message[/:(\d+):/, 1]] : Bridge.place(error)
        raise Puppet::ParseError, "Failed to parse template #{name}:\n  Filepath: #{file}\n  Line: #{line}\n  Detail: #{error}\n"
      end
    end

    # Puppet: parser/functions/inline_template.rb.
    def self.render_inline(scope, texts)
      texts.map do |text|
        Puppet::Parser::TemplateWrapper.new(scope).result(text)
      rescue StandardError, SyntaxError => error
        raise Puppet::ParseError, "Failed to parse inline template: #{error}"
      end.join
    end
  end
end
