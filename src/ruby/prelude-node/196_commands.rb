# Commands of modules, for the host: what they print is gathered, and their exit status is an answer.
module Plumb
  # Values as text, in the formats of Puppet's.
  module Rendering
    FORMATS = %i[console s json yaml].freeze

    module_function

    def named(format)
      FORMATS.include?(format.to_sym) ? format.to_sym : raise(ArgumentError, "I don't know how to render '#{format}'")
    end

    def render(value, format)
      case format
      when :json then JSON.generate(value)
      when :yaml then value.to_yaml
      when :s then value.to_s
      else console(value)
      end
    end

    def console(value)
      return value if value.is_a?(String) || value.is_a?(Numeric)
      return value.map { |each| "#{each}\n" }.join if value.is_a?(Array)
      return table(value) if value.is_a?(Hash) && value.keys.all? { |key| key.is_a?(String) || key.is_a?(Numeric) }

      JSON.pretty_generate(value)
    end

    def table(value)
      width = (value.keys.map { |key| key.to_s.length }.max || 0) + 2
      rows = value.sort_by { |key, _| key.to_s }.map do |key, each|
        "#{key.to_s.ljust(width)}#{JSON.generate(each).chomp.gsub(/\n */) { |line| line + (' ' * width) }}\n"
      end
      rows.join
    end
  end

  # The help of a face, or of one action.
  module FaceHelp
    module_function

    def of(face, action = nil)
      about = action || face
      usage = action ? "puppet #{face.name} #{action.name} [options] #{action.arguments}" : "puppet #{face.name} <action> [options]"
      options = action ? action.options : face.own_options
      parts = ["USAGE: #{usage.rstrip}", about.summary, about.description, listed('OPTIONS', options.map { |each| [each.declaration.join(' | '), each.summary] })]
      parts << listed('ACTIONS', face.actions.map { |name| [name.to_s, face.get_action(name).summary] }) unless action
      "#{parts.compact.reject(&:empty?).map(&:rstrip).join("\n\n")}\n"
    end

    def listed(title, rows)
      width = rows.map { |name, _| name.length }.max || 0
      rows.empty? ? '' : "#{title}:\n#{rows.map { |name, text| "  #{name.ljust(width)}  #{text}".rstrip }.join("\n")}"
    end
  end

  module Operations
    module_function

    # The summary of each command, `nil` of one that cannot be loaded; all as JSON.
    def summaries_of_commands(names)
      require "#{Plumb::LIBRARY}/indirections"
      JSON.generate(JSON.parse(names).to_h { |name| [name, summary_of_command(name)] })
    end

    def summary_of_command(name)
      Puppet::Application[name].summary
    rescue StandardError, ScriptError => error
      Puppet.debug("Could not load puppet/application/#{name}: #{error.message}")
      nil
    end

    # Runs a command with its words; answers what it printed and its exit status, as JSON.
    def run_command_of_module(order)
      require "#{Plumb::LIBRARY}/indirections"
      name, words = JSON.parse(order).values_at('name', 'words')
      said = [$stdout, $stderr].map { StringIO.new }
      before = [$stdout, $stderr]
      $stdout, $stderr = said
      status = status_of { Puppet::Application.find(name).new(Puppet::Application::CommandLine.new(name, words)).run }
      JSON.generate('out' => said[0].string, 'err' => said[1].string, 'status' => status)
    ensure
      $stdout, $stderr = before
    end

    def status_of
      yield
      0
    rescue SystemExit => error
      error.status
    rescue StandardError, ScriptError => error
      Puppet.log_exception(error, "Could not run: #{error.message}")
      1
    end
  end
end
