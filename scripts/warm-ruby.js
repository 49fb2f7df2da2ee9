// A module with a type, a provider and a fact in Ruby, and the work of a run with them, for what V8 compiles of it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files of the module, by path below its `lib`. */
export const rubyModule = {
  'puppet/type/build_note.rb': `
Puppet::Type.newtype(:build_note) do
  @doc = 'A file with one line.'
  ensurable { defaultvalues; defaultto :present }
  newparam(:path, namevar: true) do
    desc 'Its path.'
    validate { |value| raise ArgumentError, "not absolute: #{value}" unless value.start_with?('/') }
  end
  newparam(:strict, boolean: true, parent: Puppet::Parameter::Boolean) { defaultto false }
  newproperty(:content) { desc 'Its line.' }
  newproperty(:mode) do
    newvalues(/\\A\\d+\\z/)
    munge { |value| value.to_s.rjust(4, '0') }
    def is_to_s(value) = "mode #{value}"
  end
  autorequire(:file) { File.dirname(self[:path]) }
end
`,
  'puppet/provider/build_note/ruby.rb': `
require 'json'
Puppet::Type.type(:build_note).provide(:ruby) do
  desc 'Writes it.'
  commands truth: 'true'
  defaultfor kernel: 'Linux'
  mk_resource_methods
  def self.instances
    truth
    JSON.parse('["/one", "/two"]').map { |path| new(name: path, ensure: :present) }
  end
  def self.prefetch(resources)
    instances.each { |each| resources[each.name]&.provider = each }
  end
  def exists? = File.exist?(resource[:path])
  def create = File.write(resource[:path], resource[:content])
  def destroy = File.delete(resource[:path])
  def content = File.read(resource[:path]).chomp
  def content=(value)
    File.write(resource[:path], value)
  end
  def mode = format('%04o', File.stat(resource[:path]).mode & 0o7777)
  def mode=(value)
    File.chmod(value.to_i(8), resource[:path])
  end
end
`,
  'facter/build_note.rb': `
Facter.add(:build_note) do
  confine kernel: 'Linux'
  setcode { Facter::Core::Execution.execute('echo note').upcase }
end
`,
}

/** Ruby code as modules have it. */
const code = `
  words = %w[alpha beta gamma delta].each_with_index.to_h { |word, index| [word.to_sym, [index, word.length, 1.5]] }
  text = words.map { |name, (index, *)| "#{name}=#{index}" }.sort.reverse.join("\\n")
  found = text.scan(/^(\\w+)=(\\d+)$/).select { |_, number| number.to_i.odd? }
  rescued = begin
    Integer('none')
  rescue ArgumentError => error
    error.message.sub(/"(.*)"/) { $1.capitalize }
  ensure
    words.delete(:alpha)
  end
  copy = words.merge(more: found.group_by(&:size), rescued: rescued) { |_, one, _| one }
  copy.transform_keys(&:to_s).sum { |name, _| name.bytes.sum }
`

const count = 20

/** Writes the module's files into a folder. */
export function writeRubyModule(lib) {
  for (const [name, text] of Object.entries(rubyModule)) {
    mkdirSync(dirname(join(lib, name)), { recursive: true })
    writeFileSync(join(lib, name), text)
  }
}

/**
 * Options of a machine that finds the module in a folder.
 * @param {string} lib
 */
export function createMachineOptions(lib) {
  const env = { PATH: process.env.PATH ?? '' }
  return { root: '', settings: {}, facts: { kernel: 'Linux' }, loadPath: [lib], env, cwd: lib, debug: false }
}

/**
 * Makes the calls of a run: facts, then resources that are absent, out of sync, and in sync.
 * @param {(operation: string, args: any[]) => unknown} call
 * @param {string} folder
 */
export async function runRuby(call, folder) {
  const facts = {
    core: { kernel: 'Linux' },
    blocked: [],
    folders: [],
    providers: {},
    trace: false,
    given: [],
    queries: [],
  }
  await call('collect_facts', [JSON.stringify(facts)])
  await call('types', [['build_note']])
  await call('declare', [Array.from({ length: count }, (_, index) => describeNote(index + 1, folder))])
  await call('relations', [])
  await call('suitable', [1])
  await call('prefetch', ['build_note', 'ruby'])
  for (let id = 1; id <= count; id++) await call('look', [id])
  for (let id = 1; id <= count; id++) await call('sync', [id, 'ensure'])
  for (let id = 1; id <= count; id++) await call('look', [id])
  await call('sync', [1, 'mode'])
  await call('show', [1, 'mode', '0640'])
  await call('instances', ['build_note'])
  for (let times = 0; times < count; times++) await call('evaluate', [code, '/build.rb'])
}

function describeNote(id, folder) {
  const title = join(folder, `note${id}`)
  const place = {
    file: '/site.pp',
    line: id,
    path: `/Stage[main]/Main/Build_note[${title}]`,
    tags: ['build_note', 'class'],
  }
  return {
    id,
    type: 'Build_note',
    title,
    parameters: { content: `note ${id}`, mode: '640' },
    ...place,
    sensitive: [],
    late: [],
  }
}
