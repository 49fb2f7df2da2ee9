# Names of files that belong to Puppet and its modules.
module Plumb
  module Gems
    # Files that no gem provides: an installed Puppet would replace the classes of this prelude.
    OWN_FILES = %r{\A(?:puppet|facter|hiera|puppet_x|hiera_backend)(?:/|\.rb|\z)}
  end
end
