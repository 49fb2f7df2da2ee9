module PlumbSpec
  # Runs the examples of groups in workers (forked_worker.rb, built_in/thread_worker.rb), and reports their results in the order of the groups.
  class WorkerPool
    # Chunks for each process, so that all processes end at about the same time.
    CHUNKS_PER_WORKER = 6

    # Why an example has no result of its own.
    class EndedError < StandardError; end

    def initialize(groups, reporter, config)
      @groups = groups
      @reporter = reporter
      @jobs = config['jobs']
      @limit = config['timeout']
      @plan = groups.flat_map { |group| planned(group) }
      @examples = @plan.flat_map(&:last).to_h { |each| [each.id, each] }
      @results = {}
      @workers = []
      @failures = 0
    end

    # True if all examples passed.
    def run
      @chunks = divide
      @workers = Array.new([@jobs, @chunks.size].min) { start }
      passed = @groups.map { |group| report_group(group) }.all?
      finish
      passed
    ensure
      @workers.each(&:kill)
    end

    private

    def planned(group)
      strategy = group.ordering_strategy
      [[group, strategy.order(group.filtered_examples)], *strategy.order(group.children).flat_map { |child| planned(child) }]
    end

    # Divides the plan at the borders of groups, so that examples with the same catalog stay together.
    def divide
      size = [@examples.size / (@jobs * CHUNKS_PER_WORKER), 1].max
      chunks = [[]]
      @plan.each do |group, examples|
        examples.each_slice([size * 2, 50].max) do |part|
          chunks << [] if chunks.last.sum { |_, list| list.size } >= size
          chunks.last << [group, part]
        end
      end
      chunks.reject(&:empty?)
    end

    def start = Worker.new(@groups).tap { |worker| assign(worker) }

    def assign(worker)
      chunk = @chunks.shift
      worker.chunk = chunk
      chunk ? worker.order(chunk.map { |group, examples| [group.id, examples.map(&:id)] }) : worker.dismiss
    end

    def report_group(group)
      return true if quit?

      @reporter.example_group_started(group)
      strategy = group.ordering_strategy
      passed = strategy.order(group.filtered_examples).map { |example| quit? || report_example(example) }.all?
      passed &= strategy.order(group.children).map { |child| report_group(child) }.all?
      @reporter.example_group_finished(group)
      passed
    end

    def report_example(example)
      wait until @results.key?(example.id)
      result = @results.delete(example.id)
      Results.restore(example, result)
      @reporter.example_started(example)
      @reporter.example_finished(example)
      @reporter.public_send(:"example_#{result[:status]}", example)
      @failures += 1 if result[:status] == :failed
      result[:status] != :failed
    end

    def quit?
      RSpec.world.wants_to_quit || (@reporter.respond_to?(:fail_fast_limit_met?) && @reporter.fail_fast_limit_met?)
    end

    # Receives messages, or ends a process that has been silent for too long.
    def wait
      busy = @workers.reject(&:ended?)
      raise EndedError, 'all processes have ended' if busy.empty?

      deadline = busy.map(&:last_heard).min + @limit
      ready = Worker.ready(busy, [deadline - Worker.now, 0].max)
      return ready.each { |worker| receive(worker) } if ready

      busy.select { |worker| worker.last_heard + @limit <= Worker.now }.each do |worker|
        worker.kill
        replace(worker, "The example was ended: it took longer than #{@limit} seconds (--example-timeout)")
      end
    end

    def receive(worker)
      kind, *rest = worker.receive
      case kind
      when :started then worker.current = rest[0]
      when :result then @results[rest[0]] = rest[1]
      when :done then assign(worker)
      when :message then @reporter.message(rest[0])
      when :deprecation then @reporter.deprecation(rest[0])
      when :error then report_outside_error(*rest)
      when :coverage then RSpec::Puppet::Coverage.merge(rest[0]) if defined?(RSpec::Puppet::Coverage)
      when :ended then replace(worker, "The Ruby process of the example ended (#{worker.status})") if worker.chunk
      end
      worker.current = nil if kind == :result
    end

    def report_outside_error(exception, context)
      @reporter.notify_non_example_exception(exception, context)
      RSpec.world.non_example_failure = true
    end

    # Fails the example that a process was at, and runs the rest of its chunk in a new one.
    def replace(worker, reason)
      @workers.delete(worker)
      left = worker.chunk.map { |group, examples| [group, examples.reject { |each| @results.key?(each.id) || each.execution_result.status }] }
      left.reject! { |_, examples| examples.empty? }
      ended = worker.current || left.dig(0, 1, 0)&.id
      @results[ended] = Results.failure(EndedError.new(reason), @examples[ended]) if ended
      left.each { |_, examples| examples.reject! { |each| each.id == ended } }
      left.reject! { |_, examples| examples.empty? }
      @chunks.unshift(left) unless left.empty?
      @workers << start unless @chunks.empty?
    end

    def finish
      return if quit?

      wait until @workers.all?(&:ended?)
    end
  end
end
