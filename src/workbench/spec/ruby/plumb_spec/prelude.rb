# Puppet's and Facter's Ruby API for suites: the prelude of an installed Ruby, with the compiler as its host.
require 'json'
require 'tempfile'

module PlumbSpec
  # Files of the prelude for a child of an agent, which exchanges messages with it and watches it.
  OMITTED = %w[89_channel.rb 192_ruby_fact.rb 198_interrupts.rb 199_processes.rb start.rb].freeze

  def self.load_prelude(folder)
    files = Dir["#{folder}/[0-9]*.rb"].reject { |file| OMITTED.include?(File.basename(file)) }
    files.sort_by { |file| [File.basename(file).to_i, file] }.each do |file|
      # Stands before the file that uses it.
      require_relative 'channel' if File.basename(file).to_i == 90
      Kernel.load(file)
    end
    require_relative 'host'
  end
end
