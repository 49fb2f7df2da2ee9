# A node that serves pages.
class role::web {
  include profile::base
  include profile::web

  Class['profile::base'] -> Class['profile::web']
}
