# Runs a suite in the built-in Ruby, on the prelude that it has loaded. The host calls the operations below.
require 'json'
require 'plumb_spec/session'

module PlumbSpec
  # Questions to the host about the machine, not about the current example.
  module MachineQuestions
    NAMES = %w[identity umask hostname uname zone accounts stat chmod chown create run start kill].freeze

    def answer(name, arguments) = NAMES.include?(name) ? Plumb::Node.ask_machine(name, *arguments) : super
  end
  Plumb::Node.singleton_class.alias_method :ask_machine, :ask

  # Blocks of `at_exit`: this Ruby is discarded without an end.
  AT_EXIT = []
end

module Kernel
  def at_exit(&block) = PlumbSpec::AT_EXIT.push(block) && block
  module_function :at_exit
end

module Plumb
  module Operations
    # Exit status if RSpec is missing, as in start.rb.
    NO_RSPEC = 97

    module_function

    # Loads the spec files. Returns an exit status if there is nothing to run.
    def load_suite(options)
      PlumbSpec.config = JSON.parse(options)
      PlumbSpec.config['loadPath'].reverse_each { |path| $LOAD_PATH.unshift(path) }
      begin
        %w[rspec/core rspec/expectations rspec/mocks].each { |library| require library }
      rescue LoadError
        return NO_RSPEC
      end
      prepare_suite
      @runner = PlumbSpec::Runner.create(PlumbSpec.config['arguments'])
      @runner.setup($stderr, $stdout)
      GC.start
      nil
    rescue SystemExit => error
      error.status
    end

    # Runs the examples in workers, then the blocks of `at_exit`. Returns the exit status.
    def run_suite
      status = with_exit_status { @runner.run_loaded }
      while (block = PlumbSpec::AT_EXIT.pop)
        status = with_exit_status do
          block.call
          status
        end
      end
      status
    end

    def with_exit_status
      yield
    rescue SystemExit => error
      error.status
    end

    # In a worker: runs a chunk of examples.
    def run_chunk(chunk)
      @chunks ||= PlumbSpec::ChunkRunner.new(RSpec.world.ordered_example_groups) do |message|
        Plumb::Node.ask_machine('message', PlumbSpec::Messages.pack(message))
      end
      @chunks.run(PlumbSpec::Messages.unpack(chunk))
      nil
    end

    # In a worker: sends the coverage of all chunks.
    def finish_chunks
      @chunks&.finish
      nil
    end

    def prepare_suite
      Encoding.default_external = Encoding::UTF_8
      [Object, Puppet].each do |owner|
        owner.send(:remove_const, :PUPPETVERSION) if owner.const_defined?(:PUPPETVERSION, false)
        owner.const_set(:PUPPETVERSION, PlumbSpec.config['puppetVersion'])
      end
      require 'plumb_spec/host'
      PlumbSpec::Host.singleton_class.prepend(PlumbSpec::MachineQuestions)
      %w[built_in/host_transport built_in/thread_worker worker_pool runner].each { |file| require "plumb_spec/#{file}" }
    end
  end
end
