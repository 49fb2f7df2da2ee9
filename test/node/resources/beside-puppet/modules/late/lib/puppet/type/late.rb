# A type whose only provider needs a program that a run may install first.
Puppet::Type.newtype(:late) do
  ensurable
  newparam(:name, namevar: true)
end
