Puppet::Type.newtype(:reboot) do
  @doc = 'A restart of the machine.'

  newparam(:name) { desc 'A name.' }
  newproperty(:when) { newvalues(:refreshed, :pending) }
  newparam(:apply) { newvalues(:immediately, :finished) }
  newparam(:onlyif) { desc 'Reasons.' }
  newparam(:message) { desc 'A message for users.' }
  newparam(:timeout) { desc 'Seconds.' }
end
