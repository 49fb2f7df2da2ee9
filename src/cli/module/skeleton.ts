import { getModuleFolderName } from '../../deploy/module-tool/dependency-resolution.ts'

/** Systems of a new module. */
const systems = [
  { operatingsystem: 'Debian', operatingsystemrelease: ['11', '12'] },
  { operatingsystem: 'RedHat', operatingsystemrelease: ['8', '9'] },
  { operatingsystem: 'Ubuntu', operatingsystemrelease: ['20.04', '22.04'] },
]

/** Returns the files of a new module by path. */
export function createSkeleton(slug: string): Readonly<Record<string, string>> {
  const name = getModuleFolderName(slug)
  const owner = slug.slice(0, -name.length - 1)
  const metadata = {
    name: slug,
    version: '0.1.0',
    author: owner,
    summary: `Manages ${name}.`,
    license: 'Apache-2.0',
    source: `https://github.com/${owner}/puppet-${name}`,
    project_page: `https://github.com/${owner}/puppet-${name}`,
    issues_url: `https://github.com/${owner}/puppet-${name}/issues`,
    dependencies: [],
    operatingsystem_support: systems,
    requirements: [{ name: 'puppet', version_requirement: '>= 7.0.0 < 9.0.0' }],
  }
  return {
    'metadata.json': `${JSON.stringify(metadata, undefined, 2)}\n`,
    ...createCode(name),
    '.fixtures.yml': `---
fixtures:
  forge_modules: {}
`,
    '.gitignore': `/pkg/
/coverage/
/spec/fixtures/modules/
`,
    'README.md': `# ${name}

Manages ${name}.

## Usage

\`\`\`puppet
include ${name}
\`\`\`
`,
    'CHANGELOG.md': `# Changelog

## 0.1.0

- First version.
`,
  }
}

/** The class, its test and its data. */
function createCode(name: string): Readonly<Record<string, string>> {
  return {
    'manifests/init.pp': `# @summary Manages ${name}.
#
# @example Manage ${name} with the defaults
#   include ${name}
#
# @param greeting
#   Text of a message in the report of each run.
class ${name} (
  String[1] $greeting,
) {
  notify { "${name}: \${greeting}": }
}
`,
    'manifests/init_test.pp': `test('prints the greeting') || {
  class { '${name}': greeting => 'hello' }
  expect_resource(Notify['${name}: hello'])
}
`,
    'hiera.yaml': `---
version: 5

defaults:
  datadir: data
  data_hash: yaml_data

hierarchy:
  - name: Common
    path: common.yaml
`,
    'data/common.yaml': `---
${name}::greeting: hello
`,
  }
}
