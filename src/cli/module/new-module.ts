import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { defineIssues, throwIssue } from '../../base/issue.ts'
import { type CliCommand, type CommandInvocation, defineCommand } from '../command/command.ts'
import { parseModuleSlug } from './module-slug.ts'

const newOptions = [
  { flags: '--target-dir <dir>', doc: 'Directory of the new module; default: NAME in the current directory.' },
  { flags: '--summary <text>', doc: 'Summary in metadata.json.' },
  { flags: '--license <id>', doc: 'SPDX identifier of the license.', default: 'Apache-2.0' },
] as const

const issues = defineIssues({
  MODULE_FOLDER_THERE: {
    text: (a: { folder: string }) => `The directory ${a.folder} exists`,
    hint: () => 'Remove it, or give another --target-dir.',
  },
})

/** The command `plumb module new`. */
export const newCommand: CliCommand = defineCommand({
  name: 'new',
  summary: 'Create a module with a class, Hiera data and a test.',
  description: `Creates the directory of a module: metadata.json, a documented class, Hiera data for its parameters, a test manifest that
'plumb test' runs, and README.md. Asks nothing.

  plumb module new example-ntp --summary 'Manages the time service'
  cd ntp && plumb test && plumb lint manifests && plumb module check

Exits with 0, or with 1 if the directory exists.`,
  usage: '<name>',
  options: newOptions,
  run: runNew,
})

async function runNew({ args, options, io }: CommandInvocation<typeof newOptions>): Promise<number> {
  const slug = parseModuleSlug('create', args[0])
  const [owner = '', name = ''] = slug.split('-')
  const folder = resolve(options.targetDir ?? name)
  if (existsSync(folder)) throwIssue(issues.MODULE_FOLDER_THERE, { folder })
  const { summary = `Manages ${name}`, license } = options
  const files = listNewFiles({ owner, name, summary, license })
  await mkdir(dirname(folder), { recursive: true })
  const staged = await mkdtemp(join(dirname(folder), '.plumb-new-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(staged, path)), { recursive: true })
      await writeFile(join(staged, path), text, { mode: 0o644 })
    }
    await rename(staged, folder)
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
  io.out(
    `Created ${folder}\n${Object.keys(files)
      .map((path) => `  ${path}\n`)
      .join('')}`,
  )
  return 0
}

interface NewModule {
  readonly owner: string
  readonly name: string
  readonly summary: string
  readonly license: string
}

const hieraConfig = `---
version: 5

defaults:
  datadir: data
  data_hash: yaml_data

hierarchy:
  - name: 'Operating system'
    path: "os/%{facts.os.family}.yaml"
  - name: 'Common data'
    path: common.yaml
`

function createMetadata({ owner, name, summary, license }: NewModule): object {
  return {
    ...{ name: `${owner}-${name}`, version: '0.1.0', author: owner, summary, license, source: '', dependencies: [] },
    operatingsystem_support: [
      { operatingsystem: 'Debian', operatingsystemrelease: ['12'] },
      { operatingsystem: 'RedHat', operatingsystemrelease: ['9'] },
    ],
    requirements: [{ name: 'puppet', version_requirement: '>= 8.0.0 < 9.0.0' }],
  }
}

function listNewFiles(module: NewModule): Readonly<Record<string, string>> {
  const { name, summary } = module
  return {
    'metadata.json': `${JSON.stringify(createMetadata(module), undefined, 2)}\n`,
    'hiera.yaml': hieraConfig,
    'data/common.yaml': `---
${name}::message: 'Managed by Puppet'
`,
    'manifests/init.pp': `# @summary ${summary}
#
# @example Declare the class
#   include ${name}
#
# @param message
#   Text of the message
class ${name} (
  String[1] $message,
) {
  notify { "${name}: \${message}": }
}
`,
    'manifests/init_test.pp': `test('shows the message of Hiera data') || {
  include ${name}
  expect_resource(Notify['${name}: Managed by Puppet'])
}

test('shows the message of the parameter') || {
  class { '${name}': message => 'hello' }
  expect_resource(Notify['${name}: hello'])
}
`,
    'README.md': `# ${name}

${summary}.

\`\`\`puppet
include ${name}
\`\`\`

\`plumb docs\` writes REFERENCE.md with all classes and their parameters.
`,
    'CHANGELOG.md': `# Changelog

## 0.1.0

First release.
`,
    '.gitignore': `/pkg/
/spec/fixtures/
`,
  }
}
