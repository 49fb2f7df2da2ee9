module PlumbSpec
  # Facts, parameters and trusted data of the node of an example: from RSpec's configuration and from `let`.
  module NodeData
    def facts_hash(node)
      hostname, domain = node.split('.', 2)
      derived = { 'hostname' => hostname, 'fqdn' => node, 'domain' => domain || node }
      own = derived.merge('clientcert' => node)
      configuration = RSpec.configuration
      own['ipaddress6'] = 'FE80:0000:0000:0000:AAAA:AAAA:AAAA' if configuration.facter_implementation.to_sym == :facter
      found = munge_facts(configuration.default_facts)
      found = own.merge(found) { |_, default, given| given.nil? ? default : given }
      found['networking'] = derived.merge(found['networking'] || {}) { |_, default, given| given.nil? ? default : given }
      found['clientversion'] = ::Puppet.version
      found['environment'] = environment.to_s
      found.merge!(munge_facts(facts)) if respond_to?(:facts)
      if respond_to?(:node) && configuration.derive_node_facts_from_nodename
        found.merge!(own)
        found['networking'] = (found['networking'] || {}).merge(derived)
      end
      found.transform_keys(&:downcase)
    end

    def node_params_hash
      given = respond_to?(:node_params) ? node_params : {}
      RSpec.configuration.default_node_params.merge(given)
    end

    def trusted_facts_hash(*) = merged_setting(:trusted_facts)
    def trusted_external_data_hash = merged_setting(:trusted_external_data)

    def server_facts_hash(facts)
      networking = facts['networking'] || {}
      {
        'serverversion' => ::Puppet.version,
        'servername' => networking['fqdn'] || facts['fqdn'],
        'serverip' => networking['ip'] || facts['ipaddress'],
      }.compact
    end

    # Names of facts and of their parts are strings.
    def munge_facts(value)
      case value
      when Hash then value.to_h { |name, each| [name.to_s, munge_facts(each)] }
      when Array then value.map { |each| munge_facts(each) }
      else value
      end
    end

    private

    def merged_setting(name)
      given = respond_to?(name) ? public_send(name) : {}
      munge_facts(RSpec.configuration.public_send(:"default_#{name}")).merge(munge_facts(given))
    end
  end
end
