# Does what its code says, at each step of a run.
Puppet::Type.newtype(:snare) do
  ensurable
  newparam(:name)
  newparam(:code)
  newproperty(:value)
end
