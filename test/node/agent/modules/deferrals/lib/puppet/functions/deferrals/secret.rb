# Returns a secret, as a lookup in a secret store does.
Puppet::Functions.create_function(:'deferrals::secret') do
  dispatch :secret do
    param 'String', :path
    optional_param 'Hash', :options
  end

  def secret(path, options = {})
    raise Puppet::Error, "no secret at #{path}" if options['missing']

    Puppet::Pops::Types::PSensitiveType::Sensitive.new("hush-#{path}")
  end
end
