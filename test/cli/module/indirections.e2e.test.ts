import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { controlRepository } from '../../support/control-repository.ts'
import { type RunningServer, startServer } from '../../support/plumb.ts'
import { plumbHere } from '../../support/run-here.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('indirections')
const modules = join(folder, 'modules')
let server: RunningServer
let places: readonly string[]

const face = `require 'puppet/face'
Puppet::Face.define(:remote, '0.0.1') do
  action :show do
    when_invoked do |what, options|
      case what
      when 'node'
        Puppet::Node.indirection.terminus_class = :rest
        Puppet::Node.indirection.find(Puppet[:certname], environment: 'production').name
      when 'metadata' then Puppet::FileServing::Metadata.indirection.find('puppet:///modules/m/a.txt', environment: 'production').checksum['value']
      when 'content' then Puppet::FileServing::Content.indirection.find('puppet:///modules/m/a.txt', environment: 'production').content
      when 'missing' then Puppet::FileServing::Content.indirection.find('puppet:///modules/m/b.txt', environment: 'production').inspect
      when 'certificate' then Puppet::SSL::Certificate.indirection.find(Puppet[:certname]).content.subject.to_s
      when 'list' then Puppet::SSL::CertificateRevocationList.indirection.find('ca').content.issuer.to_s
      when 'own'
        Puppet::SSL::Certificate.indirection.terminus_class = :file
        Puppet::SSL::Certificate.indirection.find(Puppet[:certname]).name
      when 'facts'
        Puppet::Node::Facts.indirection.terminus_class = :rest
        Puppet::Node::Facts.indirection.save(Puppet::Node::Facts.new(Puppet[:certname], 'a' => 'b')).inspect
      when 'catalog'
        Puppet::Resource::Catalog.indirection.terminus_class = :rest
        Puppet::Resource::Catalog.indirection.find(Puppet[:certname], environment: 'production').resource('File[/tmp/x]').to_s
      when 'report'
        Puppet::Transaction::Report.indirection.save(Puppet::Transaction::Report.new, Puppet[:certname]).inspect
      when 'other' then Puppet::Node.indirection.tap { |each| each.terminus_class = :rest }.find('other.example.com')
      end
    end
  end
end
`

beforeAll(async () => {
  const files = {
    'remote/lib/puppet/face/remote.rb': face,
    'remote/lib/puppet/application/remote.rb':
      "require 'puppet/application/face_base'\nclass Puppet::Application::Remote < Puppet::Application::FaceBase; end\n",
    'crashing/lib/puppet/application/crashing.rb': "require 'another/file'\n",
    'nameless/lib/puppet/application/nameless.rb': 'class Puppet::Application::Other < Puppet::Application; end\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(modules, path)), { recursive: true })
    writeFileSync(join(modules, path), text)
  }
  const repository = controlRepository({ 'manifests/site.pp': "file { '/tmp/x': }" })
  repository.push({ 'manifests/site.pp': "file { '/tmp/x': }", 'modules/m/files/a.txt': 'text' }, 'production')
  server = await startServer({ repository: repository.bare, settings: { autosign: 'true' } })
  const own = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'n1.example.com']
  places = [...own, '--server', 'localhost', '--serverport', String(server.port), '--ca_port', String(server.port)]
  const ports = ['--report_port', String(server.port)]
  places = [...places, ...ports, '--key_type', 'ec', '--modulepath', modules]
  await plumbHere(['ssl', 'bootstrap', ...places])
}, 120_000)
afterAll(async () => {
  await server?.stop()
})

describe('the indirector in a face', () => {
  it.each([
    ['node', 'n1.example.com'],
    ['metadata', '{sha256}982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1'],
    ['content', 'text'],
    ['missing', 'nil'],
    ['certificate', '/CN=n1.example.com'],
    ['list', expect.stringContaining('/CN=')],
    ['own', 'n1.example.com'],
    ['facts', 'nil'],
    ['catalog', 'File[/tmp/x]'],
    ['report', '["store"]'],
  ])('uses the server: %s', async (what, expected) => {
    expect(await plumbHere(['remote', 'show', what, ...places])).toEqual({ exitCode: 0, stdout: expected, stderr: '' })
  })

  it('reports the answer of the server', async () => {
    const { exitCode, stderr } = await plumbHere(['remote', 'show', 'other', ...places])
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Error: Error 403 on SERVER: Forbidden request')])
  })

  it('reports an application that cannot be loaded', async () => {
    expect((await plumbHere(['crashing', ...places])).stderr).toBe(
      "Error: Could not run: Unable to find application 'crashing'. cannot load such file -- another/file",
    )
    expect((await plumbHere(['nameless', ...places])).stderr).toBe(
      "Error: Could not run: Unable to load application class 'Nameless' from file 'puppet/application/nameless.rb'",
    )
  })
})
