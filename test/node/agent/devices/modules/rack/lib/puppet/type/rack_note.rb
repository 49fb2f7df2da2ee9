require 'puppet/resource_api'

Puppet::ResourceApi.register_type(
  name: 'rack_note',
  desc: 'A note at a rack.',
  features: %w[remote_resource],
  attributes: {
    name: { type: 'String', desc: 'Its name.', behaviour: :namevar },
    text: { type: 'String', desc: 'What it says.' }
  }
)
