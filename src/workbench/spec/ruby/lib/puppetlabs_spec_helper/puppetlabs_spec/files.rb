require 'fileutils'
require 'tempfile'
require 'tmpdir'

module PuppetlabsSpec
  # Temporary files of examples, removed after the suite.
  module Files
    def self.cleanup
      (@files || []).each { |path| FileUtils.rm_rf(path) }
      @files = []
    end

    def self.record(path) = (@files ||= []) << path
    def tmpfilename(name) = Tempfile.create(name) { |file| file.path }.tap { |path| Files.record(path) }
    def tmpdir(name) = Dir.mktmpdir(name).tap { |path| Files.record(path) }
    module_function :tmpfilename, :tmpdir
  end
end
