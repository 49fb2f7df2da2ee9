# Which node gets which role. A name with "web" in it, and the demo node, serve pages; all others have the base alone.
node 'demo.example.test', /^web\d*\./ {
  $role = 'web'
  include role::web
}

node default {
  $role = 'base'
  include role::base
}
