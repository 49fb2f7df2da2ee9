# Time that goes on: sleeping, limits, threads, and the machine's own zone.
module Timeout
  # A limit of running code: its end on the monotonic clock, the error to raise, and true once the trace has raised it.
  Limit = Struct.new(:ends, :error, :message, :raised) do
    def left = [ends - Process.clock_gettime(Process::CLOCK_MONOTONIC), 0].max
    def to_error = (error || Timeout::Error).new(message || 'execution expired')
  end
  private_constant :Limit
  @limits = []

  class << self
    # Raises the error where the code waits for the host, else at a traced line.
    def timeout(seconds = nil, error = nil, message = nil, &block)
      return yield(seconds) if seconds.nil? || seconds.zero?

      @limits.push(limit = Limit.new(Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds, error, message))
      begin
        value = trace_lines(block) { yield(seconds) }
        raise current_error if remaining.zero?

        value
      ensure
        @limits.delete_if { |each| each.equal?(limit) }
        @late&.disable
        look_at_collections unless @limits.empty?
      end
    end

    # Seconds until the nearest limit; nil without one.
    def remaining = nearest&.left

    # The time of a whole run may end without a limit of the code.
    def current_error = nearest ? nearest.to_error : Timeout::Error.new('execution expired')

    private

    def nearest = @limits.min_by(&:ends)

    # No other thread could interrupt a loop, and a traced line takes 0.2 ms. Therefore only the lines of the block are traced, and
    # other code after the limit: each garbage collection looks at the clock.
    def trace_lines(block, &)
      look_at_collections
      return yield unless block.source_location

      TracePoint.new(:line, :b_call) { interrupt }.enable(target: block, &)
    end

    def look_at_collections
      return if @looking

      @looking = true
      ObjectSpace.define_finalizer(Object.new, proc { collected })
    end

    def collected
      @looking = false
      return unless (left = remaining)

      left.zero? ? late.enable : look_at_collections
    end

    def late = @late ||= TracePoint.new(:line, :b_call, :c_call) { |event| interrupt unless event.path == __FILE__ }

    # Raises the error of the nearest limit, once.
    def interrupt
      limit = nearest
      return if limit.nil? || limit.raised || limit.left.positive?

      limit.raised = true
      raise limit.to_error
    end
  end
end

module Kernel
  alias plumb_sleep sleep

  def sleep(seconds = nil)
    raise ThreadError, 'sleep without a duration would never end here' if seconds.nil?

    limit = Timeout.remaining
    return plumb_sleep(seconds) if limit.nil? || limit > seconds

    plumb_sleep(limit)
    raise Timeout.current_error
  end
  module_function :sleep
end

# A thread's work is done when it is made.
class Thread
  class Done
    attr_accessor :report_on_exception, :abort_on_exception, :name, :priority

    def initialize(arguments, block)
      @values = {}
      @value = block.call(*arguments)
    rescue StandardError => error
      @error = error
    end

    def value
      raise @error if @error

      @value
    end

    def join(*)
      value
      self
    end

    def alive? = false
    def status = @error ? nil : false
    def kill = self
    alias exit kill
    alias terminate kill
    def wakeup = self
    def [](name) = @values[name.to_sym]
    def []=(name, value)
      @values[name.to_sym] = value
    end
    alias thread_variable_get []
    alias thread_variable_set []=
  end

  class << self
    def new(*arguments, &block) = Done.new(arguments, block)
    alias start new
    alias fork new
  end
end

# WebAssembly knows no zones: the machine says how far its clock is from UTC.
module Plumb
  module Zone
    module_function

    def utc? = @utc.nil? ? @utc = Node.ask('zone', 0)[0].zero? && Node.ask('zone', 15_552_000)[0].zero? : @utc
    def reset = @utc = nil

    # Seconds east of UTC, and the zone's short name, at a point in time.
    def at(seconds) = Node.ask('zone', seconds)
    def utc_to_local(time) = time + at(time.to_i)[0]
    def local_to_utc(time) = time - at(time.to_i - at(time.to_i)[0])[0]
    def abbr(time) = at(time.to_i)[1]
    def name = ENV['TZ'] || 'local'
  end

  module LocalTime
    def now(in: nil)
      zone = binding.local_variable_get(:in)
      zone || Zone.utc? ? super(**(zone ? { in: zone } : {})) : super(in: Zone)
    end

    def at(*arguments, **options)
      options.key?(:in) || Zone.utc? ? super : super(*arguments, **options, in: Zone)
    end

    def local(*arguments)
      Zone.utc? ? super : Time.new(*arguments.first(6), in: Zone)
    end
    alias mktime local
  end
  Time.singleton_class.prepend(LocalTime)

  module ToLocalTime
    def localtime(offset = nil) = offset || Zone.utc? ? super(*offset) : super(Zone)
    def getlocal(offset = nil) = offset || Zone.utc? ? super(*offset) : super(Zone)
  end
  Time.prepend(ToLocalTime)
end
