import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Digests } from '../../../src/code/environments/digests.ts'
import { openFolderTree } from '../../../src/code/environments/folder-tree.ts'
import { createRubySandbox } from '../../../src/ruby/ruby-sandbox.ts'
import { ownRuby } from '../../../src/ruby/worker-share.ts'
import type { ModuleDocs } from '../../../src/workbench/docs/model.ts'
import { readModuleDocs } from '../../../src/workbench/docs/module-docs.ts'
import { createRubyParser } from '../../../src/workbench/docs/ruby-source/ripper.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = join(import.meta.dirname, 'cases')

/** The modules in `cases/`, by name: each file contains the files of a module, each after a line `-- PATH --`. */
export const cases: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(folder)
    .sort()
    .map((file) => [file.replace('.txt', ''), readFileSync(join(folder, file), 'utf8')]),
)

/** Writes the files of a module to a new folder, and returns its path. */
export function writeModule(text: string): string {
  const module = scratchFolder('docs')
  for (const part of text.split(/^-- (?=.* --$)/m).slice(1)) {
    const end = part.indexOf('\n')
    const path = join(module, part.slice(0, end).replace(/ --$/, ''))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, part.slice(end + 1))
  }
  return module
}

let parser: ReturnType<typeof createRubyParser> | undefined

/** The documentation of a module. */
export function readDocs(module: string): ModuleDocs {
  const openParser = () => {
    parser ??= createRubyParser(createRubySandbox(ownRuby.image(), {}))
    return parser
  }
  return readModuleDocs(openFolderTree({ directory: module }, new Digests()), openParser)
}

const script = `
require 'json'
require 'puppet'
Puppet.initialize_settings
require 'puppet-strings'
require 'yard'
format = ARGV.shift.to_sym
YARD::Logger.instance.io = File.open(File::NULL, 'w')
answers = JSON.parse($stdin.read).to_h do |name, folder|
  YARD::Registry.clear
  Dir.chdir(folder)
  PuppetStrings.generate(PuppetStrings::DEFAULT_SEARCH_PATTERNS, format => true, path: "#{folder}/out")
  [name, File.read("#{folder}/out")]
end
$stdout.puts JSON.generate(answers)
`

/** What puppet-strings writes for each case. `libraries` are folders of Ruby code, before those that are installed. */
export function askStrings(format: 'json' | 'markdown', libraries: readonly string[] = []): Record<string, string> {
  const modules = Object.entries(cases).map(([name, text]) => [name, writeModule(text)] as const)
  const words = ['-W0', ...libraries.map((each) => `-I${each}`), '-e', script, format]
  const input = JSON.stringify(Object.fromEntries(modules))
  const { stdout, stderr } = spawnSync('ruby', words, { input, encoding: 'utf8' })
  if (!stdout.startsWith('{')) throw new Error(`${stdout}${stderr}`.slice(0, 2000))
  return JSON.parse(stdout) as Record<string, string>
}
