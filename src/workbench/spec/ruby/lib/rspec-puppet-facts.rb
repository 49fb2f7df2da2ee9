# Facts of the operating systems that a module supports, from the gem facterdb.
require 'rspec-puppet'
require 'plumb_spec/facter_database'

module RspecPuppetFacts
  FACTS_CACHE = {}

  # Returns facts by names such as `debian-12-x86_64`, for the systems in metadata.json or in `:supported_os`.
  def on_supported_os(options = {})
    systems = options[:supported_os] || RspecPuppetFacts.meta_supported_os
    version = options[:facterversion] || RSpec.configuration.default_facter_version
    unless version.to_s.match?(/\A\d+\.\d+(?:\.\d+)*\z/)
      raise ArgumentError, ":facterversion must be in the format 'n.n' or 'n.n.n' (n is numeric), not '#{version}'"
    end

    hardware = Array(options[:hardwaremodels] || ['x86_64'])
    key = [systems, version, hardware, RspecPuppetFacts.custom_facts.to_s, RspecPuppetFacts.spec_facts_os_filter].to_s
    found = FACTS_CACHE[key] ||= RspecPuppetFacts.facts_of(systems, hardware, version.to_s)
    Marshal.load(Marshal.dump(found))
  end

  def add_custom_fact(name, value, options = {}) = RspecPuppetFacts.register_custom_fact(name, value, options)

  # Keys of a deep copy as strings; parts of structured facts have such keys already.
  def stringify_keys(hash) = hash.to_h { |key, value| [key.to_s, value.is_a?(Hash) ? stringify_keys(value) : value] }

  class << self
    attr_reader :custom_facts

    def register_custom_fact(name, value, options)
      name = RSpec.configuration.facterdb_string_keys ? name.to_s : name.to_sym
      (@custom_facts ||= {})[name] = { options: options, value: value }
    end

    def facts_of(systems, hardware, version)
      filters = systems.flat_map { |system| filters_of(system, hardware) }
      sets = filters.filter_map { |filter| found_facts(filter, version) }
      warning("No facts were found in the FacterDB for: #{filters.inspect}") if sets.empty?
      sets.each_with_object({}) do |facts, found|
        os = facts['os']
        name = "#{os['name'].downcase}-#{os['release']['major']}-#{os['hardware']}"
        next if spec_facts_os_filter && !name.start_with?(spec_facts_os_filter)

        found[name] = with_custom_facts(name, keyed(facts).merge(common_facts))
      end
    end

    def spec_facts_os_filter = ENV.fetch('SPEC_FACTS_OS', nil)
    def spec_facts_strict? = ENV['SPEC_FACTS_STRICT'] == 'yes'
    def warning(message) = warn(message)

    def meta_supported_os
      supported = metadata['operatingsystem_support']
      raise StandardError, 'Unknown operatingsystem support in the metadata file!' unless supported.is_a?(Array)

      supported
    end

    def metadata
      @metadata ||= begin
        raise StandardError, "Can't find metadata.json... dunno why" unless File.file?(metadata_file)

        JSON.parse(File.read(metadata_file))
      end
    end

    def metadata_file = 'metadata.json'

    def reset
      @custom_facts = nil
      @common_facts = nil
      @metadata = nil
    end

    def common_facts
      @common_facts ||= keyed({ 'rubysitedir' => RbConfig::CONFIG['sitelibdir'], 'rubyversion' => RUBY_VERSION, 'puppetversion' => Puppet.version })
    end

    def with_custom_facts(os, facts)
      (@custom_facts || {}).each do |name, fact|
        options = fact[:options]
        next if options[:confine] && !Array(options[:confine]).include?(os)
        next if options[:exclude] && Array(options[:exclude]).include?(os)

        value = fact[:value].respond_to?(:call) ? fact[:value].call(os, facts) : fact[:value]
        facts[name] = options[:merge_facts] ? PlumbSpec.deep_merge(facts[name], value) : value
      end
      facts
    end

    private

    # Name, release and hardware of each system, as FacterDB spells them.
    def filters_of(system, hardware)
      name = system['operatingsystem']
      releases = system['operatingsystemrelease'] ? Array(system['operatingsystemrelease']) : [nil]
      releases.product(hardware).map do |release, model|
        case name
        when /BSD/i then [name, pattern(release), 'amd64']
        when /Solaris/i then [name, pattern(release), 'i86pc']
        when /AIX/i then [name, release && aix_pattern(release), /^IBM,.*/]
        when /Windows/i then [name.downcase, release && release[/\A(?:Server )?(.+)/i, 1], 'x86_64']
        when /Amazon/i then [name, release == '2' ? /^2$/ : pattern(release), model]
        else [name, pattern(release), model]
        end
      end
    end

    def pattern(release) = release && /^#{Regexp.escape(release.split(' ')[0])}/

    def aix_pattern(release)
      release =~ /\A(\d+)\.(\d+)\Z/ ? /^#{Regexp.last_match(1)}#{Regexp.last_match(2)}00-/ : /^#{release}-/
    end

    def found_facts(filter, version)
      facts = PlumbSpec::FacterDatabase.find(*filter, version)
      return nil if facts.nil?

      given = facts['facterversion']
      return facts if given.start_with?("#{version.split('.').first(2).join('.')}.")
      raise ArgumentError, "No facts were found in the FacterDB for Facter v#{version} on #{filter}, aborting" if spec_facts_strict?

      warning("No facts were found in the FacterDB for Facter v#{version} on #{filter}, using v#{given} instead")
      facts
    end

    def keyed(facts) = RSpec.configuration.facterdb_string_keys ? facts.transform_keys(&:to_s) : facts.transform_keys(&:to_sym)
  end
end

RSpec.configure do |configuration|
  configuration.add_setting :default_facter_version, default: PlumbSpec.config['facterVersion'] || PlumbSpec::FacterDatabase::DEFAULT_VERSION
  configuration.add_setting :facterdb_string_keys, default: false
end
