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

      def result(text = nil)
        template = Plumb::Templates.compiled(text || FileSystem.read_preserve_line_endings(@__file__), text ? nil : @__file__)
        Plumb::Bridge.ask('variables', scope.id, template.variables).each { |name, value| instance_variable_set("@#{name}", value) }
        __send__(template.method)
      end
    end
  end
end

module Plumb
  module Templates
    Template = Struct.new(:method, :variables)
    MOST = 2000
    COMPILED = {}
    # A template that says these may look at any variable, not only at those that it names.
    REFLECTIVE = /instance_variable|\bbinding\b|\beval\b|\bto_hash\b/
    @count = 0

    # By text and path: a template that changed is another one.
    def self.compiled(text, path)
      COMPILED[[text, path]] ||= compile(text, path)
    end

    def self.compile(text, path)
      forget(COMPILED.first[0]) if COMPILED.size >= MOST
      name = "__template_#{@count += 1}"
      Puppet::Util.create_erb(text).def_method(Puppet::Parser::TemplateWrapper, name, path || '(erb)')
      Template.new(name, text.match?(REFLECTIVE) ? nil : text.scan(/@([a-z_]\w*)/).flatten.uniq)
    end

    def self.forget(key)
      Puppet::Parser::TemplateWrapper.remove_method(COMPILED.delete(key).method)
    end

    # Puppet: parser/functions/template.rb.
    def self.render(scope, names)
      names.map do |name|
        wrapper = Puppet::Parser::TemplateWrapper.new(scope)
        wrapper.file = name
        begin
          wrapper.result
        rescue StandardError, SyntaxError => error
          file, line = error.is_a?(SyntaxError) ? [wrapper.file, error.message[/:(\d+):/, 1]] : Bridge.place(error)
          raise Puppet::ParseError, "Failed to parse template #{name}:\n  Filepath: #{file}\n  Line: #{line}\n  Detail: #{error}\n"
        end
      end.join
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
