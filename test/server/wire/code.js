// The environment that both servers serve in test/server/wire/recorded.e2e.test.ts.

/** Files of the environment by path; a link by its target. */
export const code = {
  'manifests/site.pp': `node 'rich.test' { notify { 'r': message => [Timestamp('2020-01-02T03:04:05.006'), /a/, default] } }
node 'warns.test' {
  warning('careful')
  notice('noted')
  info('said')
  debug('whispered')
  notify { 'of': message => "\${facts['kernel']} \${trusted['certname']} \${server_facts['environment']}" }
}
node 'broken.test' { fail('no way') }
node default {
  include demo
  @@notify { 'exported': }
  @notify { 'virtual': }
}
`,
  'modules/demo/manifests/init.pp': `class demo(String $p = 'dflt') {
  file { '/tmp/demo.txt': source => 'puppet:///modules/demo/a.txt' }
  notify { "hello \${p}": }
}
`,
  'modules/demo/metadata.json': JSON.stringify({
    name: 'me-demo',
    version: '1.2.3',
    author: 'me',
    source: 'x',
    summary: 's',
    license: 'x',
    dependencies: [],
  }),
  'modules/demo/files/a.txt': 'some content\n',
  'modules/demo/files/sub/two.txt': 'two\n',
  'modules/demo/files/sub/link.txt': { link: '../a.txt' },
  'modules/demo/tasks/hi.sh': '#!/bin/sh\necho hi\n',
  'modules/demo/tasks/hi.json': JSON.stringify({
    description: 'Says hi',
    parameters: { who: { type: 'String[1]', description: 'whom' } },
    input_method: 'stdin',
    files: ['other/files/help.rb'],
  }),
  'modules/demo/tasks/init.sh': '#!/bin/sh\necho init\n',
  'modules/demo/tasks/secret.sh': '#!/bin/sh\necho private\n',
  'modules/demo/tasks/secret.json': '{"private": true, "description": "hidden"}',
  'modules/demo/tasks/broken.json': '{"description": bad',
  'modules/demo/tasks/broken.sh': 'x\n',
  'modules/demo/tasks/many.json': JSON.stringify({
    description: 'many',
    implementations: [
      { name: 'many_ps.ps1', requirements: ['powershell'] },
      { name: 'many_sh.sh', requirements: ['shell'], files: ['demo/files/a.txt'] },
    ],
    files: ['demo/files/sub/'],
  }),
  'modules/demo/tasks/many_ps.ps1': 'y\n',
  'modules/demo/tasks/many_sh.sh': 'z\n',
  'modules/demo/tasks/noimpl.json': '{"implementations":[{"name":"absent.sh"}]}',
  'modules/demo/tasks/notlist.json': '{"implementations":"x"}',
  'modules/demo/tasks/notlist.sh': 'x\n',
  'modules/demo/tasks/badfiles.json': '{"files":"x"}',
  'modules/demo/tasks/badfiles.sh': 'x\n',
  'modules/demo/tasks/lostfile.json': '{"files":["demo/files/none.txt"]}',
  'modules/demo/tasks/lostfile.sh': 'x\n',
  'modules/demo/tasks/lostmodule.json': '{"files":["nomodule/files/none.txt"]}',
  'modules/demo/tasks/lostmodule.sh': 'x\n',
  'modules/demo/tasks/wrongdir.json': '{"files":["demo/manifests/init.pp"]}',
  'modules/demo/tasks/wrongdir.sh': 'x\n',
  'modules/demo/tasks/nofile.json': '{"description":"no file"}',
  'modules/demo/tasks/two.sh': 'x\n',
  'modules/demo/tasks/two.rb': 'y\n',
  'modules/demo/tasks/Bad.sh': 'x\n',
  'modules/demo/tasks/readme.md': '# readme\n',
  'modules/demo/tasks/deep/er.sh': 'x\n',
  'modules/other/tasks/init.rb': 'x\n',
  'modules/other/files/help.rb': 'puts 1\n',
  'modules/other/lib/puppet/transport/schema/rack.rb': `require 'puppet/resource_api'
Puppet::ResourceApi.register_transport(
  name: 'rack',
  desc: 'Connects to a rack.',
  features: ['remote_resource'],
  connection_info: {
    port: { type: 'Optional[Integer]', desc: 'Its port.', default: 443 },
    password: { type: 'String', sensitive: true, desc: 'The secret.' },
  },
)
`,
  'modules/demo/plans/init.pp': `# A plan
# @summary Does it
# @param who Whom
plan demo(String $who = 'x') { return 1 }
`,
  'modules/demo/plans/sub.pp': 'plan demo::sub() { return 2 }\n',
  'modules/demo/plans/yam.yaml': 'steps: []\n',
  'modules/demo/plans/deep/down.pp': 'plan demo::deep::down() { }\n',
  'modules/demo/plans/Bad.pp': 'x\n',
}
