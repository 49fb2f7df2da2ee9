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

require 'pp'
class PP
  module PPMethods
    def pp_hash_pair(key, value)
      group do
        pp key
        text '=>'
        group(1) do
          breakable ''
          pp value
        end
      end
    end
  end
end

class Object
  # Gone in 3.2: what is no text never matches.
  def =~(_pattern)
    nil
  end

  # Gone in 3.2, without effect since 2.7.
  def taint = self
  alias untaint taint
  alias trust taint
  alias untrust taint
  def tainted? = false
  alias untrusted? tainted?
end

class << File
  alias exists? exist?
end

class << Dir
  alias exists? exist?
end

FileTest.define_singleton_method(:exists?) { |path| File.exist?(path) }

Fixnum = Integer unless Object.const_defined?(:Fixnum)
Bignum = Integer unless Object.const_defined?(:Bignum)
PSON = JSON

# Gone in 3.0.
module URI
  def self.escape(...) = DEFAULT_PARSER.escape(...)
  def self.unescape(...) = DEFAULT_PARSER.unescape(...)
  singleton_class.alias_method :encode, :escape
  singleton_class.alias_method :decode, :unescape
end

# Gone from the library in 3.0.
Object.__send__(:remove_const, :SortedSet) if Object.autoload?(:SortedSet)
class SortedSet < Set
  def each(&block)
    return to_enum unless block

    to_a.each(&block)
    self
  end

  def to_a = super.sort
end

# Before json 2.8, which came with 3.4, lists and hashes without elements had a line's end inside.
module JSON
  module OldLayout
    def pretty_generate(*arguments)
      super.gsub(/^([ \t]*)(.*)(?:(\[\])|\{\})(,?)$/) do
        indent, before, list, comma = $~.captures
        list ? "#{indent}#{before}[\n\n#{indent}]#{comma}" : "#{indent}#{before}{\n#{indent}}#{comma}"
      end
    end
  end
  singleton_class.prepend OldLayout
  singleton_class.alias_method :pretty_unparse, :pretty_generate
end

[Hash, Array, String, Numeric, NilClass, TrueClass, FalseClass].each { |kind| kind.alias_method :to_pson, :to_json }
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
