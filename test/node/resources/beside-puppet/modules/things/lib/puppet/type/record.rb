# Things that a provider knows before it is asked.
Puppet::Type.newtype(:record) do
  ensurable do
    newvalue(:present) { provider.create }
    newvalue(:absent) { provider.destroy }
    newvalue(:locked, event: :record_locked) { provider.lock }
    defaultto :present
  end
  newparam(:name)
  newparam(:file)
  newproperty(:value)
  newproperty(:size) do
    def insync?(is) = is.to_i == should.to_i
    def change_to_s(is, should) = "size went from #{is} to #{should}"
  end
  newproperty(:members, parent: Puppet::Property::List) do
    def membership = :membership
  end
  newparam(:membership) do
    newvalues(:inclusive, :minimum)
    defaultto :minimum
  end
end
