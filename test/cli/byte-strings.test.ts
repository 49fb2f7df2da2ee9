import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommandLine } from '../../src/cli/program.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const folder = scratchFolder('byte-strings')
const environment = join(folder, 'environments', 'site')

const files: Readonly<Record<string, string>> = {
  'modules/m/files/x.cer': '0\x82\x01\xffok',
  'modules/m/files/mark.txt': '\xef\xbb\xbfmarked',
  'modules/m/templates/raw.erb': 'raw \xff <%= 1 + 1 %> \xc3\xa4',
  'modules/m/templates/raw.epp': 'raw \xff <%= 1 + 1 %>',
  'modules/m/templates/mark.erb': '\xef\xbb\xbfmarked <%= 1 %>',
  'modules/m/lib/puppet/functions/m/raw.rb':
    "Puppet::Functions.create_function(:'m::raw') do\n  dispatch(:go) { }\n  def go = %q(/60=).unpack1('m')\nend\n",
  'modules/m/lib/puppet/functions/m/bytes.rb':
    "Puppet::Functions.create_function(:'m::bytes') do\n  dispatch(:go) { param 'Any', :x }\n  def go(x) = x.unpack1('H*')\nend\n",
  'modules/m/lib/puppet/type/file_line.rb':
    'Puppet::Type.newtype(:file_line) { newparam(:name, namevar: true); newparam(:path); newproperty(:line) }',
  'hiera.yaml': 'version: 5\nhierarchy: [{name: a, path: a.yaml}, {name: b, path: b.json, data_hash: json_data}]\n',
  'data/a.yaml': 'from_yaml: !binary 3q3/\n',
  'data/b.json': '{"from_json": "a\xffb"}',
}
for (const [name, content] of Object.entries(files)) {
  mkdirSync(dirname(join(environment, name)), { recursive: true })
  writeFileSync(join(environment, name), Buffer.from(content, 'latin1'))
}

async function apply(code: string) {
  const said = { out: '', err: '' }
  const say = (where: 'out' | 'err') => (text: string) => {
    said[where] += text
  }
  const io = { stdin: process.stdin, color: false, out: say('out'), err: say('err') }
  const places = ['--confdir', join(folder, 'etc'), '--vardir', join(folder, 'var'), '--certname', 'node']
  const site = ['--environmentpath', dirname(environment), '--environment', 'site']
  return { status: await runCommandLine(['apply', '-e', code, ...site, ...places], io), ...said }
}

// All as `puppet apply` does.
describe('strings that are not UTF-8', () => {
  it.each([
    ["file('m/x.cer')", '308201ff6f6b'],
    ["file('m/mark.txt')", '6d61726b6564'],
    ["template('m/mark.erb')", '6d61726b65642031'],
    ["template('m/raw.erb')", '72617720ff203220c3a4'],
    ['m::raw()', 'ffad'],
    ['"${m::raw()}x"', 'ffad78'],
    ["inline_epp('<%= m::raw() %>x')", 'ffad78'],
    ["inline_template('<%= scope.call_function(%q(m::raw), []).b + [255].pack(%q(C)) %>')", 'ffadff'],
    ['Sensitive(m::raw())', 'ffad'],
    ["lookup('from_yaml')", 'deadff'],
    ["lookup('from_json')", '61ff62'],
    ["Deferred('file', ['/FOLDER/modules/m/files/x.cer'])", '308201ff6f6b'],
    ["binary_file('m/x.cer')", '308201ff6f6b'],
    ['"${m::raw()}"[1]', 'ad'],
  ])('content => %s writes the bytes %s', async (content, hex) => {
    const path = join(folder, 'written')
    const code = content.replace('/FOLDER', environment)
    const { err } = await apply(`file { '${path}': ensure => file, content => ${code} }`)
    expect(err).toBe('')
    expect(readFileSync(path).toString('hex')).toBe(hex)
  })

  it.each([
    ["md5(file('m/x.cer'))", '290e6b925dfed49581323ac0feb9a221'],
    ["size(file('m/x.cer'))", '6'],
    ["m::bytes(file('m/x.cer'))", '308201ff6f6b'],
    ["m::bytes({ 'k' => [m::raw()] }['k'][0])", 'ffad'],
    ["Binary(m::raw(), '%r')", '/60='],
    ['m::raw() == m::raw()', 'true'],
    ['m::raw() =~ String[2, 2]', 'true'],
    ["file('m/x.cer')", 'Received a Log attribute with invalid encoding:"0\\x82\\x01\\xFFok"'],
  ])('notice(%s) prints %s', async (value, printed) => {
    expect((await apply(`notice(${value})`)).out).toContain(`Notice: Scope(Class[main]): ${printed}\n`)
  })

  it.each([
    ['m::raw() =~ /x/', "while evaluating a '=~' expression, invalid byte sequence in UTF-8"],
    ["regsubst(m::raw(), 'x', 'y')", 'while evaluating a Function Call, invalid byte sequence in UTF-8'],
    [
      "notify { 'a ${m::raw()}': }".replaceAll("'", '"'),
      'while evaluating a Resource Statement, invalid byte sequence',
    ],
    ["epp('m/raw.epp')", 'invalid byte sequence in UTF-8'],
    ["Binary(m::raw(), '%s')", "The given string in encoding 'UTF-8' is invalid"],
    ["String(Binary('3q3/'), '%s')", 'invalid byte sequence in UTF-8'],
    ["exec { '/bin/true': command => m::raw() }", 'Parameter command failed on Exec[/bin/true]: invalid byte sequence'],
    ["file { '/x': ensure => link, target => m::raw() }", 'Parameter target failed on File[/x]: invalid byte sequence'],
  ])('%s is an error', async (code, error) => {
    const { status, err } = await apply(code)
    expect(err).toContain(error)
    expect(status).toBe(1)
  })

  it('passes through a line of a file and a message', async () => {
    const path = join(folder, 'lines')
    writeFileSync(path, 'a\n')
    const code = `file_line { 'x': path => '${path}', line => m::raw() } notify { 'n': message => m::raw() }`
    expect((await apply(code)).out).toContain('encoding:"\\xFF\\xAD"')
    expect(readFileSync(path).toString('hex')).toBe('610affad0a')
  })

  // Puppet: transaction/event.rb.
  it('is base64 in the events of a report', async () => {
    await apply("notify { 'n': message => m::raw() }")
    const report = readFileSync(join(folder, 'var/state/last_run_report.yaml'), 'utf8')
    expect(report).toContain('desired_value: "/60="\n')
    const message = String.raw`defined 'message' as '\\xFF\\xAD'`
    expect(report).toContain(String.raw`message: "Received a Log attribute with invalid encoding:\"${message}\""`)
    expect(report).not.toContain('!binary')
  })

  it.each([
    ['a filebucket', 'b'],
    ['a copy', '.old'],
  ])('a directory with a file name that is not UTF-8 is not removed without a backup: %s', async (_, backup) => {
    const gone = join(folder, `gone${backup}`)
    const name = Buffer.concat([Buffer.from(`${gone}/n`), Buffer.of(0xe9)])
    mkdirSync(gone)
    writeFileSync(name, 'kept')
    const { err } = await apply(`
      filebucket { 'b': path => '${folder}/bucket' }
      file { '${gone}': ensure => absent, force => true, backup => '${backup}' }`)
    expect(err).toContain(String.raw`failed: Could not back up ${gone}/n\xE9: invalid byte sequence in UTF-8`)
    expect(readFileSync(name, 'utf8')).toBe('kept')
  })
})
