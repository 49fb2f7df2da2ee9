# What modules ask of the machine that Ruby was built for.
module RbConfig
  CONFIG = { 'host_os' => 'linux-gnu', 'target_os' => 'linux', 'ruby_version' => "#{RUBY_VERSION[/\A\d+\.\d+/]}.0" }.freeze
end

# Folders of libraries. `/ruby/plumb/webassembly` has libraries that replace those of Ruby, such as net/http.
module Plumb
  # Folder of our libraries, in `ruby/library/`.
  LIBRARY = '/ruby/plumb'
  # Folders that contain no code of modules.
  OWN_FOLDERS = %w[/prelude/ /ruby/].freeze
end

$LOAD_PATH.replace(["#{Plumb::LIBRARY}/webassembly", Plumb::LIBRARY, "/ruby/#{RbConfig::CONFIG['ruby_version']}", *Dir['/ruby/gems/*/gems/*/lib'].sort])
$LOADED_FEATURES.push(*%w[socket io/wait etc rbconfig rubygems].flat_map { |name| ["#{name}.rb", "#{name}.so"] })

# Users and groups are the node's, and not known here.
module Etc
  %i[getpwnam getgrnam].each do |name|
    define_singleton_method(name) { |given| raise ArgumentError, "can't find #{name[3..] == 'pwnam' ? 'user' : 'group'} for #{given}" }
  end
  %i[getpwuid getgrgid].each do |name|
    define_singleton_method(name) { |given = 0| raise ArgumentError, "can't find #{name[3..] == 'pwuid' ? 'user' : 'group'} for #{given}" }
  end
end
