# What modules expect of the Ruby that Puppet 8 comes with (3.2) and of older ones, and Ruby 3.4 does otherwise.
class Hash
  def inspect
    return '{}' if empty?

    open = (Thread.current[:plumb_open_hashes] ||= {}.compare_by_identity)
    return '{...}' if open.key?(self)

    begin
      open[self] = true
      "{#{map { |key, value| "#{key.inspect}=>#{value.inspect}" }.join(', ')}}"
    ensure
      open.delete(self)
    end
  end
  alias to_s inspect
end

class Object
  # Gone in 3.2: what is no text never matches.
  def =~(_pattern)
    nil
  end
end

class << File
  alias exists? exist?
end

class << Dir
  alias exists? exist?
end

Fixnum = Integer
Bignum = Integer
PSON = JSON
TRUE = true
FALSE = false
NIL = nil

# In the words of before 3.4, which users and their tests know.
class NameError
  module OldWords
    def to_s
      text = super
      subject = /\Aundefined (?:local variable or )?method '(.*?)' for /.match(text)
      return text.gsub(/'([^']*)'/, "`\\1'") unless subject

      "#{text[/\Aundefined (?:local variable or )?method/]} `#{name}' for #{OldWords.describe(receiver)}"
    rescue ArgumentError
      text
    end

    def self.describe(object)
      case object
      when nil, true, false then "#{object.inspect}:#{object.class}"
      when Module then "#{object}:#{object.class}"
      else
        text = object.inspect
        text = Kernel.instance_method(:to_s).bind_call(object) if text.length > 65
        text.start_with?('#<') ? text : "#{text}:#{object.class}"
      end
    end
  end
  prepend OldWords
end
