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

# In WebAssembly a path without a sign is the folder where one is.
module PlumbEmptyPath
  %i[exist? exists? file? directory? readable? stat].each do |question|
    define_method(question) do |path|
      next super(path) unless path == ''
      raise Errno::ENOENT, 'rb_file_s_stat' if question == :stat

      false
    end
  end
end

class << File
  alias exists? exist?
end

class << Dir
  alias exists? exist?
end

File.singleton_class.prepend(PlumbEmptyPath)

Fixnum = Integer
Bignum = Integer
PSON = JSON
TRUE = true
FALSE = false
NIL = nil

# RubyGems is not here; modules compare versions with it.
module Gem
  class Version
    include Comparable
    attr_reader :version
    alias to_s version

    def self.create(version) = version.is_a?(Version) ? version : new(version)
    def self.correct?(version) = version.to_s.match?(/\A\s*(?:[0-9]+(?:\.[0-9a-zA-Z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?)?\s*\z/)

    def initialize(version)
      raise ArgumentError, "Malformed version number string #{version}" unless Version.correct?(version)

      @version = version.to_s.strip.gsub('-', '.pre.')
      @version = '0' if @version.empty?
    end

    def segments = @version.scan(/[0-9]+|[a-z]+/i).map { |each| each.match?(/\A\d/) ? each.to_i : each }
    def prerelease? = @version.match?(/[a-zA-Z]/)

    # A word comes before any number: 1.0.rc1 before 1.0.
    def <=>(other)
      other = Version.new(other) if other.is_a?(String)
      return nil unless other.is_a?(Version)

      one = segments
      two = other.segments
      [one.size, two.size].max.times do |index|
        left = one[index] || 0
        right = two[index] || 0
        next if left == right
        return left <=> right if left.class == right.class

        return left.is_a?(String) ? -1 : 1
      end
      0
    end
  end
end

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
