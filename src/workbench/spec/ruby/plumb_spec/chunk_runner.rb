require 'plumb_spec/results'

module PlumbSpec
  # Runs chunks of examples in a worker, and sends their results. `send_message` sends a message to the pool.
  class ChunkRunner
    def initialize(groups, &send_message)
      @groups = groups
      @by_id = RSpec.world.all_example_groups.to_h { |group| [group.id, group] }
      PlumbSpec.worker!
      RSpec.configuration.fail_fast = nil
      RSpec::Puppet::Coverage.instance = nil if defined?(RSpec::Puppet::Coverage)
      @reporter = WorkerReporter.new(&send_message)
      RSpec.configuration.instance_variable_set(:@reporter, @reporter)
    end

    # RSpec runs the examples that its filter lets through.
    def run(chunk)
      chosen = Hash.new { |hash, group| hash[group] = [] }
      chunk.each do |id, examples|
        group = @by_id.fetch(id)
        chosen[group] = group.examples.select { |each| examples.include?(each.id) }.sort_by { |each| examples.index(each.id) }
      end
      RSpec.world.instance_variable_set(:@filtered_examples, chosen)
      @by_id.each_value { |group| group.remove_instance_variable(:@descendant_filtered_examples) if group.instance_variable_defined?(:@descendant_filtered_examples) }
      tops = chosen.keys.map { |group| group.parent_groups.last }.uniq
      @groups.each { |group| group.run(@reporter) if tops.include?(group) }
      @reporter.send_message(:done)
    end

    # Sends the coverage of all chunks.
    def finish
      @reporter.send_message(:coverage, RSpec::Puppet::Coverage.state) if defined?(RSpec::Puppet::Coverage)
    end
  end

  # Sends what RSpec reports to the process that reports it to formatters.
  class WorkerReporter < RSpec::Core::NullReporter
    def initialize(&send_message)
      @send_message = send_message
      @mutex = Mutex.new
    end

    def send_message(*message)
      @mutex.synchronize { @send_message.call(message) }
    end

    def example_started(example) = send_message(:started, example.id)
    def example_passed(example) = send_message(:result, example.id, Results.of(example, :passed))
    def example_failed(example) = send_message(:result, example.id, Results.of(example, :failed))
    def example_pending(example) = send_message(:result, example.id, Results.of(example, :pending))
    def message(text) = send_message(:message, text.to_s)
    def deprecation(hash) = send_message(:deprecation, hash.transform_values { |value| value.is_a?(String) ? value : value.to_s })
    def notify_non_example_exception(exception, context) = send_message(:error, Results.portable(exception), context)
    def fail_fast_limit_met? = false
    def method_missing(*) = nil
    def respond_to_missing?(*) = true
  end
end
