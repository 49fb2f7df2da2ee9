module PlumbSpec
  # The connection of the built-in Ruby to the compiler: calls of its host.
  module Transport
    # Sends a line, and returns the line that answers it.
    def self.exchange(line)
      Plumb::Node.ask_machine('compiler', line)
    rescue Plumb::HostError => error
      raise CompilerBug, error.message
    end
  end
end
