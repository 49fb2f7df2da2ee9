Puppet::Type.newtype(:scheduled_task) do
  @doc = 'A task of the scheduler.'

  ensurable

  newparam(:name, namevar: true) { desc 'The name.' }
  newproperty(:enabled) { newvalues(:true, :false) }
  newproperty(:command) { desc 'The program.' }
  newproperty(:working_dir) { desc 'A folder.' }
  newproperty(:arguments) { desc 'Arguments of the program.' }
  newproperty(:user) { desc 'An account.' }
  newparam(:password) { desc 'Its password.' }
  newproperty(:trigger, array_matching: :all) { desc 'Hashes of times.' }
  newproperty(:compatibility) { newvalues(1, 2, 3, 4, 6) }
end
