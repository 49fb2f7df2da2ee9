# Settings of rspec-puppet, with its defaults.
module PlumbSpec
  NOTHING = '/dev/null'

  RSpec.configure do |configuration|
    {
      enable_pathname_stubbing: false, environmentpath: NOTHING, module_path: nil, manifest_dir: nil, manifest: nil, template_dir: nil,
      config: nil, confdir: NOTHING, default_facts: {}, default_node_params: {}, default_trusted_facts: {},
      default_trusted_external_data: {}, facter_implementation: :facter, hiera_config: NOTHING, parser: 'current',
      trusted_node_data: false, trusted_server_facts: false, ordering: 'title-hash', stringify_facts: true, strict_variables: false,
      setup_fixtures: true, derive_node_facts_from_nodename: true, adapter: nil, platform: :posix, vendormoduledir: NOTHING,
      basemodulepath: NOTHING, disable_module_hiera: false, fixture_hiera_configs: {}, use_fixture_spec_hiera: false,
      fallback_to_default_hiera: true
    }.each { |name, default| configuration.add_setting(name, default: default) }
    configuration.before(:each) { PlumbSpec.begin_example(self) if is_a?(RSpec::Puppet::Support) }
  end

  # What examples ask of rspec-puppet's adapter.
  class Adapter
    def modulepath = PlumbSpec.modulepath
    def manifest = RSpec.configuration.manifest
    def current_environment = ::Puppet::Node::Environment.current
    def setup_puppet(*) = nil
  end

  class << self
    attr_reader :current_example

    def begin_example(example)
      @current_example = example
      example.adapter = RSpec.configuration.adapter ||= Adapter.new
      Compilation.current = nil
      @modulepath = nil
      self.facts = {}
      ::Puppet.reset_settings
    end

    # Modulepath, Hiera and strictness of an example.
    def code_inputs(example = @current_example)
      hiera = setting(example, :hiera_config)
      {
        environment: environment(example), modulepath: modulepath,
        hiera: hiera && File.file?(hiera.to_s) ? File.expand_path(hiera.to_s) : nil,
        strict: ::Puppet[:strict].to_s, strictVariables: ::Puppet[:strict_variables] || setting(example, :strict_variables) ? true : false
      }
    end

    def environment(example = @current_example) = (example.respond_to?(:environment) ? example.environment : 'rp_env').to_s

    # Folders with modules, and the folder of the module itself and of its fixtures. Read once for each
    # example, since examples can create folders.
    def modulepath
      given = given_modulepath
      return @modulepath if @modulepath && @given == given

      @given = given
      @modulepath = [*given.select { |path| File.directory?(path) }, config['fixtures']]
    end

    def default_manifest
      RSpec.configuration.environmentpath.split(File::PATH_SEPARATOR).map { |path| File.join(path, 'fixtures', 'manifests') }
           .find { |path| File.exist?(path) }
    end

    # Modules' libraries are in the load path while examples run.
    def add_libraries
      return if @libraries_of == modulepath

      @libraries_of = modulepath
      modulepath.flat_map { |path| Dir["#{path}/*/lib"] }.each { |path| $LOAD_PATH << path unless $LOAD_PATH.include?(path) }
    end

    private

    def given_modulepath
      return config['modulepath'] unless config['modulepath'].empty?

      given = setting(@current_example, :module_path)
      return given.to_s.split(File::PATH_SEPARATOR) if given

      RSpec.configuration.environmentpath.split(File::PATH_SEPARATOR).map { |path| File.join(path, 'fixtures', 'modules') }
    end

    def setting(example, name)
      example.respond_to?(name) ? example.public_send(name) : RSpec.configuration.public_send(name)
    end
  end
end
