# rspec-puppet's helpers and matchers, on Plumbline's compiler.
require 'rspec'
require 'fileutils'
require 'tmpdir'

module RSpec
  module Puppet
    def self.rspec_puppet_example? = !PlumbSpec.current_example.nil?
    def self.current_example = PlumbSpec.current_example
  end
end

%w[
  puppet sensitive errors parameter_matcher relationships create_generic catalogue_matchers function_matchers type_matchers node_data
  manifest_code bridge values resource module_resources catalogue compilation tested_function coverage support example_groups configuration
].each { |name| require "plumb_spec/#{name}" }
