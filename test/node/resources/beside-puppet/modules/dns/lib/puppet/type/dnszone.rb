Puppet::Type.newtype(:dnszone) do
  @doc = 'A zone of a name service.'
  ensurable

  newparam(:name, namevar: true) do
    desc 'The domain, without a dot at its end.'
    validate { |value| raise ArgumentError, "#{value} is no domain" unless value.match?(/\A[a-z0-9-]+(\.[a-z0-9-]+)+\z/) }
  end

  newproperty(:email) do
    desc 'Who is asked about it.'
    defaultto { "hostmaster@#{@resource[:name]}" }
  end
end
