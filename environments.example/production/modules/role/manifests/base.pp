# What every node is.
class role::base {
  include profile::base
}
