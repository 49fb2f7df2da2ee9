# Logs in to a secret store with the certificate of the node, and reads a secret from it.
Puppet::Functions.create_function(:'deferrals::vaulted', Puppet::Functions::InternalFunction) do
  dispatch :vaulted do
    cache_param
    param 'String', :path
    param 'String', :address
    return_type 'Sensitive'
  end

  def vaulted(cache, path, address)
    tokens = cache.retrieve(self)
    client = Puppet.runtime[:http]
    token = tokens[address] ||= begin
      reply = client.post(URI("#{address}/v1/auth/cert/login"), '', headers: { 'Content-Type' => 'application/json' }, options: { include_system_store: true })
      raise Puppet::Error, "Received #{reply.code} response code from #{address}" unless reply.success?

      JSON.parse(reply.body)['auth']['client_token']
    end
    reply = client.get(URI("#{address}/v1/#{path}"), headers: { 'X-Vault-Token' => token }, options: { include_system_store: true })
    raise Puppet::Error, "Received #{reply.code} response code from #{address} for #{path}" unless reply.success?

    Puppet::Pops::Types::PSensitiveType::Sensitive.new(JSON.parse(reply.body)['data']['data']['password'])
  end
end
