# What every node has: a message of the day, and some folders.
#
# @param directories folders by path, with their attributes; merged over all levels of data
class profile::base (
  Hash[Profile::Path, Hash] $directories = {},
) {
  include motd

  $directories.each |$path, $attributes| {
    file { $path:
      ensure => directory,
      *      => { 'mode' => '0755' } + $attributes,
    }
  }
}
