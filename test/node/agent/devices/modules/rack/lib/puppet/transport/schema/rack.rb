require 'puppet/resource_api'

Puppet::ResourceApi.register_transport(
  name: 'rack',
  desc: 'A rack whose slots are written in a file.',
  connection_info: {
    path: { type: 'String', desc: 'The file with its slots.' },
    token: { type: 'String', desc: 'The key to it.', sensitive: true },
    room: { type: 'Optional[String]', desc: 'Where it stands.', default: 'cellar' }
  }
)
