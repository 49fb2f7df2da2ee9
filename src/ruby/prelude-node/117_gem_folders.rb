# Folders of gems, and names of files that belong to Puppet and its modules.
module Plumb
  module Gems
    # Files that no gem provides: an installed Puppet would replace the classes of this prelude.
    OWN_FILES = %r{\A(?:puppet|facter|hiera|puppet_x|hiera_backend)(?:/|\.rb|\z)}

    # Returns the existing directories with `gems/NAME-VERSION` and `specifications/`, in order of precedence.
    def self.homes
      given = [*Puppet[:gem_path].to_s.split(':'), *ENV['GEM_HOME'], *ENV['GEM_PATH'].to_s.split(':')]
      vendored = Plumb.module_folders.flat_map { |path| ["#{path}/vendor", "#{File.dirname(path)}/vendor"] }
      [*vendored, *given].flat_map { |path| path.include?('*') ? Dir.glob(path).sort : [path] }.uniq.select { |path| File.directory?(path) }
    end
  end
end
