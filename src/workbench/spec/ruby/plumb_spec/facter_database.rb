require 'json'

module PlumbSpec
  # Fact sets of the gem facterdb, and of the folders in FACTERDB_SEARCH_PATHS. A file is read when a suite needs it.
  module FacterDatabase
    # The Facter version that Puppet 8.10 contains.
    DEFAULT_VERSION = '4.10.0'

    class << self
      # Returns the facts of the newest Facter up to a version whose operating system matches; nil if there are none.
      def find(name, release, hardware, facter_version)
        major, minor = facter_version.split('.').map(&:to_i)
        limit = Gem::Version.new("#{major}.#{(minor || 0) + 1}")
        newest_first.each do |version, files|
          next if version >= limit

          found = candidates(files, name).map { |file| read(file) }.reverse.find { |facts| matches?(facts, name, release, hardware) }
          return found if found
        end
        nil
      end

      private

      def newest_first
        @newest_first ||= folders.flat_map { |folder| Dir["#{folder}/**/*.facts"].sort }
                                 .group_by { |file| Gem::Version.new(File.basename(File.dirname(file))) }.sort.reverse
      end

      def folders
        given = ENV['FACTERDB_SEARCH_PATHS'].to_s.split(File::PATH_SEPARATOR)
        ENV['FACTERDB_SKIP_DEFAULTDB'] ? given : [*given, *gem_folder]
      end

      # The folder of the gem: in the load path, or installed.
      def gem_folder
        library = $LOAD_PATH.find { |path| File.file?("#{path}/facterdb.rb") }
        return File.expand_path('../facts', library) if library

        File.join(Gem::Specification.find_by_name('facterdb').gem_dir, 'facts')
      rescue Gem::MissingSpecError
        raise LoadError, "on_supported_os needs the facts of the gem facterdb: run 'plumb facts db update', or set FACTERDB_SEARCH_PATHS"
      end

      # File names begin with the name of the operating system.
      def candidates(files, name)
        prefix = "#{name.downcase}-"
        files.select { |file| File.basename(file).start_with?(prefix) }
      end

      def read(file)
        (@read ||= {})[file] ||= JSON.parse(File.read(file))
      end

      def matches?(facts, name, release, hardware)
        os = facts['os'] or return false
        os['name'] == name && (release.nil? || release === os.dig('release', 'full')) && hardware === os['hardware']
      end
    end
  end

  # Facts of suites with voxpupuli-test.
  module Facts
    # Service managers of operating systems that do not use systemd, by family.
    SERVICES = { 'darwin' => 'launchd', 'freebsd' => 'freebsd', 'gentoo' => 'openrc', 'openbsd' => 'openbsd', 'windows' => 'windows' }.freeze

    def self.service_provider(os)
      family = os['family'].downcase
      return 'systemd' if %w[archlinux debian redhat].include?(family)
      return os['release']['major'].to_i >= 12 ? 'systemd' : 'redhat' if family == 'suse'

      SERVICES[family] || 'init'
    end

    def self.overridden(facts, overrides, inside: false)
      overrides.each do |name, value|
        name = name.to_s if inside
        facts[name] = value.is_a?(Hash) ? overridden(facts[name] || {}, value, inside: true) : value
      end
      facts
    end
  end
end
