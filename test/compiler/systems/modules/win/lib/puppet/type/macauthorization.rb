Puppet::Type.newtype(:macauthorization) do
  @doc = 'An entry of the authorization database of macOS.'

  ensurable

  newparam(:name, namevar: true) { desc 'The right or rule.' }
  newproperty(:allow_root, boolean: true) { newvalues(:true, :false) }
  newproperty(:auth_class) { newvalues(:user, :'evaluate-mechanisms', :allow, :deny, :rule) }
  newproperty(:mechanisms, array_matching: :all) { desc 'Mechanisms.' }
  newproperty(:timeout) { desc 'Seconds.' }
end
