// Generates docs/settings.md, docs/commands.md, docs/types.md, docs/budgets.md and parts of other pages from the program's tables.
//   npm run docs              writes them
//   npm run docs -- --check   fails if they are not current
import { readFileSync, writeFileSync } from 'node:fs'
import { budgets } from '#built/base/budgets/budgets.js'
import { commands } from '#built/cli/commands.js'
import { costDefinitions } from '#built/cli/plan/operation-costs.js'
import { dataFunctions } from '#built/compiler/hiera/data-functions.js'
import { builtinFunctions } from '#built/language/functions/table.js'
import { moduleFunctions } from '#built/language/module-functions/table.js'
import { agentSettings } from '#built/machine/settings/definitions/agent.js'
import { caSettings } from '#built/machine/settings/definitions/ca.js'
import { codeSourceSettings } from '#built/machine/settings/definitions/code-sources.js'
import { coreSettings } from '#built/machine/settings/definitions/core.js'
import { gateSettings } from '#built/machine/settings/definitions/gate.js'
import { ldapSettings } from '#built/machine/settings/definitions/ldap.js'
import { moduleSettings } from '#built/machine/settings/definitions/modules.js'
import { outsideSettings } from '#built/machine/settings/definitions/outside.js'
import { puppetfileSettings } from '#built/machine/settings/definitions/puppetfile.js'
import { rolloutSettings } from '#built/machine/settings/definitions/rollout.js'
import { serverSettings } from '#built/machine/settings/definitions/server.js'
import { sslSettings } from '#built/machine/settings/definitions/ssl.js'
import { telemetrySettings } from '#built/machine/settings/definitions/telemetry.js'
import { unusedSettings } from '#built/machine/settings/definitions/unused.js'
import { serverKeys } from '#built/machine/settings/server-conf/keys.js'
import { buildMetaparameterOutlines, buildTypeOutlines } from '#built/node/resources/type-outline.js'
import { createTemplateFunctions } from '#built/ruby/erb-templates.js'
import { functionsOfPuppet } from '../test/language/functions/of-puppet.js'
import { broughtAlong } from './brought-along.js'
import { parts, rooms } from './rooms.js'

const readPage = (name) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const between = (name, mark, text) =>
  readPage(name).replace(new RegExp(`(<!-- ${mark}.*-->\\n)[\\s\\S]*(<!-- end of ${mark} -->)`), `$1${text}$2`)
const pages = {
  'docs/budgets.md': budgetsPage(),
  'docs/settings.md': settingsPage(),
  'docs/commands.md': await commandsPage(),
  'docs/types.md': await typesPage(),
  'docs/dependencies.md': between('docs/dependencies.md', 'packages', packagesTable()),
  'docs/architecture.md': between('docs/architecture.md', 'rooms', roomsTable()),
  'docs/operating.md': between('docs/operating.md', 'server-conf', serverConfTable()),
  'docs/scaling.md': between('docs/scaling.md', 'costs', costsTable()),
  'README.md': between('README.md', 'functions', functionsTable()),
}
const check = process.argv.includes('--check')
for (const [name, text] of Object.entries(pages)) {
  const file = new URL(`../${name}`, import.meta.url)
  if (!check) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is not current: npm run docs`)
    process.exitCode = 1
  }
}

/** Keys of a Puppet Server's conf.d, with their settings. */
function serverConfTable() {
  const row = (key, meaning) =>
    `| \`${key}\` | ${'setting' in meaning ? `\`${meaning.setting}\`` : `no effect: ${meaning.without}`} |`
  const rows = Object.entries(serverKeys).flatMap(([section, keys]) =>
    'without' in keys || 'setting' in keys
      ? [row(section, keys)]
      : Object.entries(keys).map(([key, meaning]) => row(`${section}.${key}`, meaning)),
  )
  return ['| key | here |', '|---|---|', ...rows, ''].join('\n')
}

/** All limits of input. */
function budgetsPage() {
  const titles = {
    connection: 'Connections',
    request: 'Requests',
    node: 'Nodes',
    push: 'Pushes and served commits',
    git: 'Clones and pushes over HTTPS',
    environment: 'Environments and compilations',
    module: 'Puppetfiles and modules',
    gem: 'Gems',
    workbench: 'Tools for authors',
    outside: 'External data in catalogs',
    authority: 'Certificate authority',
    pattern: 'Patterns',
    plugIn: 'Plug-ins of the server',
    policy: 'Policies',
    rollout: 'Rollouts',
    capacity: 'Capacity plans',
    ldap: 'LDAP directory',
    machine: 'Agent machine',
    secret: 'Encrypted data',
    socket: 'Sockets of Ruby on a node',
    query: 'Store queries',
    store: 'Store',
    token: 'Tokens',
    pages: 'Console',
    audit: 'Audit log',
    telemetry: 'Metrics and logs',
    format: 'Formatting of manifests',
  }
  /** The largest unit that divides the bound. */
  const scales = {
    bytes: [
      ['GiB', 1024 ** 3],
      ['MiB', 1024 ** 2],
      ['KiB', 1024],
    ],
    ms: [
      ['min', 60_000],
      ['s', 1000],
    ],
  }
  const amount = ({ bound, unit }) => {
    const [name, size] = scales[unit]?.find(([, each]) => bound % each === 0) ?? [unit, 1]
    return `${(bound / size).toLocaleString('en')} ${name}`
  }
  const row = (budget) =>
    `| ${budget.of} | ${amount(budget)} | ${budget.reason} | ${budget.beyond} | ${budget.setting ? `\`${budget.setting}\`` : ''} |`
  const parts = Object.entries(budgets)
    .filter(([, table]) => Object.keys(table).length > 0)
    .map(([group, table]) =>
      [
        `## ${titles[group]}`,
        '',
        '| Quantity | Bound | Reason | Beyond the bound | Setting |',
        '|---|---|---|---|---|',
        ...Object.values(table).map(row),
        '',
      ].join('\n'),
    )
  return `# Budgets

Each input from outside has a bound. Input beyond it is rejected with a reason, and changes nothing. A setting in the last
column changes the bound. The program reads its bounds from the same table (\`src/base/budgets/\`).

${parts.join('\n')}`
}

/** The costs of a capacity plan with their defaults. */
function costsTable() {
  const rows = Object.entries(costDefinitions).map(
    ([name, about]) => `| \`${name}\` | ${about.default} | ${about.doc} |`,
  )
  return ['', '| cost | default | meaning |', '|---|---:|---|', ...rows, '', ''].join('\n')
}

/** Puppet's functions, by implementation. */
function functionsTable() {
  const done = {
    native: [...builtinFunctions.keys()],
    'native, for Hiera backends': [...dataFunctions.keys()].filter((name) => functionsOfPuppet.includes(name)),
    'Ruby as WebAssembly, for ERB': [...createTemplateFunctions(/** @type {any} */ (undefined)).keys()],
  }
  const here = Object.values(done).flat()
  const missing = functionsOfPuppet.filter((name) => !here.includes(name))
  const row = (title, names) => {
    const list = names.sort().map((name) => `\`${name}\``)
    return `| ${title} | ${names.length} | ${list.join(' ') || 'none'} |`
  }
  const lines = [
    `Puppet 8 has ${functionsOfPuppet.length} functions of both APIs. Calling a function that is not implemented is an error, as for an unknown function.`,
    '',
    '| implementation | number | functions |',
    '|---|---|---|',
    ...Object.entries(done).map(([title, names]) => row(title, names)),
    row('not implemented', missing),
    '',
    'Some differ from Puppet on purpose (`generate`, `find_file`, the clock): [differences](docs/differences.md).',
    `Plumbline also has native versions of ${moduleFunctions.size} functions of modules, each used if it is proven equal to the file in the`,
    'module. All other functions of modules run as Ruby. The Hiera backend `sops_lookup_key` reads files of SOPS',
    '([encrypted data](docs/encrypted-data.md)).',
  ]
  return `\n${lines.join('\n')}\n\n`
}

/** The rooms in order, and the ordered parts of some rooms. */
function roomsTable() {
  const table = (of, outer) => [
    '| folder | contents |',
    '|---|---|',
    ...Object.entries(of).map(
      ([name, holds]) => `| \`${outer}${name.includes('.') ? name : `${name}/`}\` | ${holds} |`,
    ),
    '',
  ]
  const inner = Object.entries(parts).flatMap(([room, of]) => [`Inside \`${room}/\`:`, '', ...table(of, `${room}/`)])
  return ['', ...table(rooms, ''), ...inner, ''].join('\n')
}

/** Each package that runs, by the library that depends on it. */
function packagesTable() {
  const rows = broughtAlong().map(
    ([library, names]) => `| \`${library}\` | ${names.map((name) => `\`${name}\``).join(' ') || 'none'} |`,
  )
  return ['', '| library | packages |', '|---|---|', ...rows, '', ''].join('\n')
}

function settingsPage() {
  const sections = {
    'All commands': coreSettings,
    'Keys and certificates': sslSettings,
    'Certificate authority': caSettings,
    Server: serverSettings,
    'Code sources': codeSourceSettings,
    'Puppetfile modules': { ...puppetfileSettings, ...moduleSettings },
    Gate: gateSettings,
    Rollouts: rolloutSettings,
    'Network and file access of code': outsideSettings,
    'LDAP nodes': ldapSettings,
    'Metrics and logs': telemetrySettings,
    Agent: agentSettings,
  }
  const lines = [
    '# Settings',
    '',
    'Set a setting in `puppet.conf` or on the command line of any command. In `puppet.conf`, the sections `[server]`, `[agent]`',
    'and `[user]` override `[main]`. On the command line, write `--name value`, or `--name` and `--no-name` for a setting that is',
    'true or false. `$name` in a value is replaced with the value of that setting.',
    '',
    '`plumb config print` prints the current values, `plumb config explain` their meaning. A running server applies changes of',
    'settings marked ↻ on `SIGHUP`; other changes require a restart.',
  ]
  for (const [title, definitions] of Object.entries(sections)) {
    lines.push('', `## ${title}`, '', '| setting | default | values | description |', '|---|---|---|---|')
    for (const [name, { kind, default: standard, ofServer, withStore, withSources, live, doc }] of Object.entries(
      definitions,
    )) {
      const value = standard === '' ? '' : `\`${standard}\``
      const other = [
        ofServer === undefined ? '' : `; for a server \`${ofServer}\``,
        withStore === undefined ? '' : `; with a store \`${withStore}\``,
        withSources === undefined ? '' : `; with code_sources \`${withSources}\``,
      ].join('')
      lines.push(
        `| \`${name}\`${live ? ' ↻' : ''} | ${value}${other} | ${kind.expects} | ${doc.replaceAll('|', '\\|')} |`,
      )
    }
  }
  lines.push(
    '',
    '## Settings without effect',
    '',
    'Plumbline accepts these settings of Puppet, so that an existing `puppet.conf` stays valid.',
    '',
  )
  lines.push('| setting | reason or alternative |', '|---|---|')
  for (const [name, { unused: reason }] of Object.entries(unusedSettings)) lines.push(`| \`${name}\` | ${reason} |`)
  return `${lines.join('\n')}\n`
}

/** The built-in types: attributes, features and providers. */
async function typesPage() {
  const code = (words) => words.map((word) => `\`${word}\``).join(', ')
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const attributeTable = (attributes) => [
    '',
    '| attribute | role | values | default | needs | description |',
    '|---|---|---|---|---|---|',
    ...attributes.map(
      ({ name, role, doc, values, default: standard, needs }) =>
        `| \`${name}\` | ${role} | ${code(values)} | ${standard === undefined ? '' : code([standard || "''"])} | ${code(needs)} | ${cell(doc)} |`,
    ),
  ]
  const providerTable = (providers) => [
    '',
    '| provider | requires | default for | features | description |',
    '|---|---|---|---|---|',
    ...providers.map(
      ({ name, doc, requires, defaultFor, features }) =>
        `| \`${name}\` | ${code(requires)} | ${defaultFor.map(cell).join('; ')} | ${features.join(' ')} | ${cell(doc)} |`,
    ),
  ]
  const lines = [
    '# Types',
    '',
    'These resource types are managed by the agent without Ruby. The page is generated from `src/node/resources/types/`. A *property*',
    'is read from the machine and changed there, a *parameter* controls how, and the *namevar* identifies the resource. An attribute',
    'that *needs* a feature is ignored if the provider lacks it. `plumb describe TYPE` prints the same on a node.',
    '',
    '## All types',
    ...attributeTable(buildMetaparameterOutlines()),
  ]
  for (const { name, doc, attributes, features, providers } of await buildTypeOutlines()) {
    lines.push('', `## ${name}`, '', doc, ...attributeTable(attributes))
    if (providers.length > 0) lines.push(...providerTable(providers))
    if (features.length > 0)
      lines.push(
        '',
        '| feature | description |',
        '|---|---|',
        ...features.map((each) => `| \`${each.name}\` | ${cell(each.doc)} |`),
      )
  }
  return `${lines.join('\n')}\n`
}

async function commandsPage() {
  const lines = [
    '# Commands',
    '',
    '`plumb <command> [options]`. Each command accepts `--help`, `--debug`, `--verbose`, and each setting as an option. The exit status',
    'is 0 after success and 1 after a failure, such as an invalid command line; the command describes other statuses.',
  ]
  for (const entry of commands) describe(lines, await entry.load(), `plumb ${entry.name}`, '##')
  return `${lines.join('\n')}\n`
}

function describe(lines, command, path, heading) {
  lines.push('', `${heading} ${path}`, '', command.summary)
  if (command.run) lines.push('', '```', `${path} [options]${command.usage ? ` ${command.usage}` : ''}`, '```')
  if (command.description && command.description !== command.summary) lines.push('', ...prose(command.description))
  if (command.options?.length) {
    lines.push('', '| option | meaning |', '|---|---|')
    for (const { flags, doc, default: standard } of command.options)
      lines.push(
        `| \`${flags.replaceAll('|', '\\|')}\` | ${doc.replaceAll('|', '\\|')}${standard === undefined || standard === false ? '' : ` Default: \`${standard}\`.`} |`,
      )
  }
  for (const sub of command.commands ?? []) describe(lines, sub, `${path} ${sub.name}`, `${heading}#`)
}

/** Indented lines of a description are examples. */
function prose(description) {
  let example = false
  return description
    .split('\n')
    .flatMap((line) => {
      const isExample = /^ {2}/.test(line) || (example && line === '')
      const fence = isExample === example ? [] : ['```']
      example = isExample
      return [...fence, isExample ? line.replace(/^ {2}/, '') : line]
    })
    .concat(example ? ['```'] : [])
}
