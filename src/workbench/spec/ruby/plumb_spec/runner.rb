require 'plumb_spec/worker_pool'

module PlumbSpec
  # RSpec's runner, with the examples in workers. Formatters, hooks of the suite and the exit code are RSpec's own.
  class Runner < RSpec::Core::Runner
    # Returns a runner that has not loaded the spec files yet.
    def self.create(arguments)
      RSpec::Core::Runner.disable_autorun!
      new(RSpec::Core::ConfigurationOptions.new(arguments))
    end

    # Runs the examples after `setup` has loaded the spec files. Returns the exit status.
    def run_loaded
      return @configuration.reporter.exit_early(exit_status(false)).to_i if @world.wants_to_quit

      run_specs(@world.ordered_example_groups).to_i
    end

    # Files that failures do not show: ours, and the prelude, also that of the built-in Ruby.
    OWN_FILES = [%r{/spec/ruby/(?:plumb_spec|lib|start\.rb)}, %r{/native-ruby/prelude/}, %r{\A/prelude/}].freeze

    # Loads the spec files.
    def setup(err, out)
      super
      @configuration.backtrace_exclusion_patterns.concat(OWN_FILES)
    end

    def run_specs(groups)
      count = @world.example_count(groups)
      passed = @configuration.reporter.report(count) do |reporter|
        @configuration.with_suite_hooks do
          return @configuration.failure_exit_code if count.zero? && @configuration.fail_if_no_examples

          WorkerPool.new(groups, reporter, PlumbSpec.config).run
        end
      end
      persist(groups)
      exit_status(passed)
    end

    private

    def persist(_groups)
      persist_example_statuses if respond_to?(:persist_example_statuses, true)
    end

    def exit_status(passed) = respond_to?(:exit_code, true) ? exit_code(passed) : (passed ? 0 : @configuration.failure_exit_code)
  end
end
