# Points in time, lengths of it, and versions, as Puppet's Ruby has them.
module Puppet
  module Pops
    module Time
      # A point in time, or a length of it, in nanoseconds.
      class TimeData
        include Comparable
        attr_reader :nsecs

        def initialize(nsecs) = @nsecs = nsecs
        def <=>(other) = other.is_a?(self.class) ? nsecs <=> other.nsecs : to_f <=> other
        def to_i = @nsecs / 1_000_000_000
        def to_int = to_i
        def to_f = @nsecs / 1_000_000_000.0
        def to_s = Plumb::Bridge.ask('call', 0, 'new', [Puppet::Pops::Types::PStringType::DEFAULT, self])
        def format(pattern) = Plumb::Bridge.ask('call', 0, 'strftime', [self, pattern])
        def hash = @nsecs.hash
        def eql?(other) = other.class == self.class && other.nsecs == @nsecs
        def +(other) = self.class.new(@nsecs + (other.respond_to?(:nsecs) ? other.nsecs : (other * 1_000_000_000).to_i))
        def -(other) = self.class.new(@nsecs - (other.respond_to?(:nsecs) ? other.nsecs : (other * 1_000_000_000).to_i))
      end

      class Timestamp < TimeData
        def self.now = from_time(::Time.now)
        def self.parse(text, *formats) = Plumb::Bridge.ask('call', 0, 'new', [Puppet::Pops::Types::PTimestampType::DEFAULT, text, *formats])
        def self.from_hash(hash) = Plumb::Bridge.ask('call', 0, 'new', [Puppet::Pops::Types::PTimestampType::DEFAULT, hash])
        def self.from_time(time) = new(time.to_i * 1_000_000_000 + time.nsec)
        def time = ::Time.at(@nsecs / 1_000_000_000, @nsecs % 1_000_000_000, :nsec).utc
      end

      class Timespan < TimeData
        def self.parse(text, *formats) = Plumb::Bridge.ask('call', 0, 'new', [Puppet::Pops::Types::PTimespanType::DEFAULT, text, *formats])
        def self.from_hash(hash) = Plumb::Bridge.ask('call', 0, 'new', [Puppet::Pops::Types::PTimespanType::DEFAULT, hash])

        def self.from_fields(negative, days, hours, minutes, seconds, milliseconds = 0, microseconds = 0, nanoseconds = 0)
          whole = ((((days * 24) + hours) * 60) + minutes) * 60 + seconds
          whole = (((whole * 1000) + milliseconds) * 1000 + microseconds) * 1000 + nanoseconds
          new(negative ? -whole : whole)
        end

        # In whole units, and what of a unit is more than the next larger one.
        { days: 86_400, hours: 3600, minutes: 60, seconds: 1 }.each_cons(2) do |(_, larger), (unit, length)|
          define_method(unit) { nsecs.abs / 1_000_000_000 % larger / length }
        end
        { days: 86_400, hours: 3600, minutes: 60, seconds: 1 }.each do |unit, length|
          define_method("total_#{unit}") { nsecs.abs / 1_000_000_000 / length }
        end
        alias days total_days
        def milliseconds = nsecs.abs / 1_000_000 % 1000
        def nanoseconds = nsecs.abs % 1_000_000_000
        def total_nanoseconds = nsecs.abs
        def negative? = nsecs.negative?
      end
    end
  end
end

module SemanticPuppet
  # A version by semver.org; what it compares as is asked of the host.
  class Version
    include Comparable
    attr_reader :major, :minor, :patch, :prerelease, :build

    PATTERN = /\A(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?\z/

    class ValidationFailure < ArgumentError; end

    def self.parse(text)
      found = PATTERN.match(text) or raise ValidationFailure, "Unable to parse '#{text}' as a semantic version identifier"
      new(*found[1..3].map(&:to_i), found[4]&.split('.'), found[5]&.split('.'))
    end

    def self.valid?(text) = PATTERN.match?(text)

    def initialize(major, minor, patch, prerelease = nil, build = nil)
      @major, @minor, @patch, @prerelease, @build = major, minor, patch, prerelease, build
    end

    def <=>(other)
      other.is_a?(Version) ? Plumb::Bridge.ask('compare_versions', to_s, other.to_s) : nil
    end

    def to_s
      "#{@major}.#{@minor}.#{@patch}#{"-#{@prerelease.join('.')}" if @prerelease}#{"+#{@build.join('.')}" if @build}"
    end

    def hash = to_s.hash
    def eql?(other) = other.is_a?(Version) && other.to_s == to_s
    def stable? = @prerelease.nil?

    # The version that comes after: `:major`, `:minor` or `:patch`.
    def next(part)
      case part
      when :major then Version.new(@major + 1, 0, 0)
      when :minor then Version.new(@major, @minor + 1, 0)
      when :patch then Version.new(@major, @minor, @patch + 1)
      end
    end
  end

  class VersionRange
    attr_reader :text

    def self.parse(text) = new(text)
    def initialize(text) = @text = text
    def to_s = @text
    def include?(version) = Plumb::Bridge.ask('version_in_range', @text, version.to_s)
    alias member? include?
    alias === include?
    def hash = @text.hash
    def ==(other) = other.is_a?(VersionRange) && other.text == @text
    alias eql? ==
  end
end
