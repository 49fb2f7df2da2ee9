require 'plumb_spec/versions'

# Answers the questions of the prelude within a suite.
module PlumbSpec
  module Host
    # Questions about the work of a compilation that have no answer in a suite.
    SILENT = %w[quiet own_variable changed print logs log_level all_facts].freeze

    class << self
      # Returns the answer to a question of the prelude.
      def answer(name, arguments)
        case name
        when *SILENT then nil
        when 'setting' then setting(arguments[0])
        when 'stack' then []
        when 'log' then PlumbSpec.log(arguments[0].to_sym, arguments[1])
        when 'fact' then arguments[0].split('.').reduce(PlumbSpec.facts) { |value, key| value.is_a?(Hash) ? value[key] : nil }
        when 'builtin_type' then PlumbSpec.config['types'][arguments[0]]
        when 'environment' then PlumbSpec.environment
        when 'modulepath' then PlumbSpec.modulepath
        when 'modules' then module_folders.keys
        when 'module' then module_folders[arguments[0]]
        when 'type_file' then Plumb::Providers.files("type/#{arguments[0]}").first
        when 'has_providers' then !Plumb::Providers.files("provider/#{arguments[0]}/*").empty?
        when 'versioncmp' then Versions.compare(*arguments)
        when 'legacy_function' then Functions.file('parser/functions', arguments[0])
        else Compilation.current.ask(name, arguments)
        end
      end

      private

      def setting(name)
        return PlumbSpec.environment if name == 'environment'

        PlumbSpec.config['settings'][name]
      end

      def module_folders
        PlumbSpec.modulepath.reverse.flat_map { |path| Dir["#{path}/*"] }.to_h { |path| [File.basename(path), path] }
      end
    end
  end
end

[Plumb::Bridge, Plumb::Node].each do |asker|
  asker.define_singleton_method(:ask) { |name, *arguments| PlumbSpec::Host.answer(name, arguments) }
end
