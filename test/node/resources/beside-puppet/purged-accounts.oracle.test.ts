import { applyBoth, liveAnswers } from './apply-both.ts'

const once = 'the machine stays as it is'

// The answers of real Puppet are not recorded: they list the groups and users of the machine, in their order.
applyBoth(liveAnswers, 'groups and users that are not in the catalog go as in real Puppet', [], {
  'groups, in noop': {
    manifest: "resources { 'group': purge => true } group { 'root': } group { 'x': name => 'daemon' }",
    noop: true,
    once,
  },
  'groups, in noop of their own': {
    manifest: "resources { 'group': purge => true, noop => true, loglevel => info }",
    once,
  },
  'users, in noop': { manifest: "resources { 'user': purge => true } user { 'root': }", noop: true, once },
  'users of the system, too': {
    manifest: "resources { 'user': purge => true, unless_system_user => false, unless_uid => [1, '2'] }",
    noop: true,
    once,
  },
  'users above a number': {
    manifest: "resources { 'user': purge => true, unless_system_user => 9, unless_uid => [33, '34'] }",
    noop: true,
    once,
  },
})
