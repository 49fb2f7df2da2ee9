Puppet::Type.newtype(:dnsrr) do
  @doc = 'A record of a zone.'
  ensurable

  newparam(:name, namevar: true)

  newparam(:zone) do
    desc 'The zone; without one, all of the name but its first part.'
    defaultto { @resource[:name].partition('.').last }
  end

  newproperty(:type) do
    newvalues(:A, :AAAA, :CNAME, :MX, :TXT)
    defaultto :A
  end

  newproperty(:value, array_matching: :all) do
    def insync?(is) = is.is_a?(Array) && is.sort == should.sort
  end

  newproperty(:ttl) do
    munge { |value| Integer(value) }
  end

  validate do
    raise Puppet::Error, 'a record needs a value' if self[:ensure] == :present && self[:value].nil?
  end

  autorequire(:dnszone) { self[:zone] }
end
