# What is logged goes to the host in lots: each line a level, a message, and in whose name.
module Plumb
  module Lines
    LOT = 200
    WAITING = []

    module_function

    def add(level, message, source)
      WAITING << [level.to_s, text(message), source]
      tell if WAITING.size >= LOT
      nil
    end

    # Puppet: util/log.rb.
    def text(message)
      said = message.to_s
      said = said.dup.force_encoding(Encoding::UTF_8) if said.encoding == Encoding::BINARY
      said.valid_encoding? ? said : "Received a Log attribute with invalid encoding:#{said.dump}"
    end

    def tell
      return if WAITING.empty?

      lines = WAITING.dup
      WAITING.clear
      Node.ask('logs', lines)
    end
  end

  # At the end of a call, the host has received all of its lines.
  module TellingAtTheEnd
    private

    def run(message)
      super
    ensure
      Lines.tell
    end
  end
  Bridge.singleton_class.prepend(TellingAtTheEnd)
end

module Puppet
  class << self
    %i[debug info notice warning err alert emerg crit].each do |level|
      define_method(level) do |message = nil, &block|
        next if level == :debug && !@debugging

        said = block ? block.call : message
        Plumb::Lines.add(level, said.is_a?(Array) ? said.join(' ') : said, nil)
      end
    end

    def send_log(level, message) = public_send(level, message)
  end
end
