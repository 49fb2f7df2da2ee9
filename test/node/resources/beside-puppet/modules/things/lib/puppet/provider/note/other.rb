Puppet::Type.type(:note).provide(:other, parent: :plain) do
  confine exists: '/no/such/file'
end
