require 'puppet/util/feature'

Puppet.features.add(:fog, libs: 'fog')
