// Writes docs/settings.md, docs/commands.md and the functions in README.md from the tables that the program itself uses.
//   npm run docs          writes them
//   npm run docs -- --check   fails when they are not what would be written
import { readFileSync, writeFileSync } from 'node:fs'
import { budgets } from '#built/base/budgets/budgets.js'
import { commands } from '#built/cli/commands.js'
import { dataFunctions } from '#built/compiler/hiera/data-functions.js'
import { builtinFunctions } from '#built/language/functions/table.js'
import { moduleFunctions } from '#built/language/module-functions/table.js'
import { agent } from '#built/machine/settings/definitions/agent.js'
import { ca } from '#built/machine/settings/definitions/ca.js'
import { codeSources } from '#built/machine/settings/definitions/code-sources.js'
import { core } from '#built/machine/settings/definitions/core.js'
import { gate } from '#built/machine/settings/definitions/gate.js'
import { ldap } from '#built/machine/settings/definitions/ldap.js'
import { modules } from '#built/machine/settings/definitions/modules.js'
import { outside } from '#built/machine/settings/definitions/outside.js'
import { puppetfile } from '#built/machine/settings/definitions/puppetfile.js'
import { server } from '#built/machine/settings/definitions/server.js'
import { ssl } from '#built/machine/settings/definitions/ssl.js'
import { telemetry } from '#built/machine/settings/definitions/telemetry.js'
import { unused } from '#built/machine/settings/definitions/unused.js'
import { serverKeys } from '#built/machine/settings/server-conf/keys.js'
import { allOutlines, metaparameterOutlines } from '#built/node/resources/type-outline.js'
import { templateFunctions } from '#built/ruby/templates.js'
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

/** Keys of a Puppet Server's conf.d, with their meaning here. */
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

/** Every bound of what comes from outside. */
function budgetsPage() {
  const titles = {
    connection: 'A connection',
    request: 'A request',
    node: 'A node',
    push: 'A push, and a commit that is served',
    git: 'A clone or a push over HTTPS',
    environment: 'The environments that are served',
    outside: 'What code learns from outside',
    authority: 'The certificate authority',
    pattern: 'A pattern',
    policy: 'Policies',
    machine: 'The machine of an agent',
    query: 'A query of the store',
    store: 'The store',
    token: 'A token',
    telemetry: 'What is measured and logged',
  }
  const amount = ({ bound, unit }) => {
    if (unit !== 'bytes') return `${bound.toLocaleString('en')} ${unit}`
    return bound % 1048576 === 0 ? `${bound / 1048576} MiB` : `${bound / 1024} KiB`
  }
  const row = (budget) =>
    `| ${budget.of} | ${amount(budget)} | ${budget.reason} | ${budget.beyond} | ${budget.setting ? `\`${budget.setting}\`` : ''} |`
  const parts = Object.entries(budgets)
    .filter(([, table]) => Object.keys(table).length > 0)
    .map(([group, table]) =>
      [
        `## ${titles[group]}`,
        '',
        '| of what | how much | why | beyond it | setting |',
        '|---|---|---|---|---|',
        ...Object.values(table).map(row),
        '',
      ].join('\n'),
    )
  return `# Budgets

Whatever comes from outside has a bound: what is beyond it is refused in words, and changes nothing. This page is written
from the table that the program itself uses, \`src/base/budgets/budgets.ts\`.

${parts.join('\n')}`
}

/** What of Puppet's functions there is, and where it is done. */
function functionsTable() {
  const done = {
    'the language, native': [...builtinFunctions.keys()],
    "Hiera's backends, native": [...dataFunctions.keys()],
    'ERB, in Ruby as WebAssembly': [...templateFunctions(/** @type {any} */ (undefined)).keys()],
  }
  const here = Object.values(done).flat()
  const missing = functionsOfPuppet.filter((name) => !here.includes(name))
  const row = (title, names) => {
    const list = names.sort().map((name) => `\`${name}\``)
    return `| ${title} | ${names.length} | ${list.join(' ') || 'none'} |`
  }
  const lines = [
    `Puppet 8 has ${functionsOfPuppet.length} functions, of both generations. A function that is not implemented does not exist.`,
    '',
    '| done by | | functions |',
    '|---|---|---|',
    ...Object.entries(done).map(([title, names]) => row(title, names)),
    row('not implemented', missing),
    '',
    'What some of them do otherwise on purpose (`generate`, `find_file`, the clock) is in',
    `[docs/differences.md](docs/differences.md). Of modules' functions, ${moduleFunctions.size} are native where ours is proven to equal`,
    "the module's very file, the others run as the Ruby that they are.",
  ]
  return `\n${lines.join('\n')}\n\n`
}

/** The rooms in their order, and the parts of those that have an order inside. */
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

/** Every package that runs, with the library that brings it. */
function packagesTable() {
  const rows = broughtAlong().map(
    ([library, names]) => `| \`${library}\` | ${names.map((name) => `\`${name}\``).join(' ') || 'nothing'} |`,
  )
  return ['', '| library | brings along |', '|---|---|', ...rows, '', ''].join('\n')
}

function settingsPage() {
  const sections = {
    'Every command': core,
    'Keys and certificates': ssl,
    'The certificate authority': ca,
    'The code server': server,
    'Where code comes from': codeSources,
    'Modules of a Puppetfile': { ...puppetfile, ...modules },
    'The gate': gate,
    'Answers from outside': outside,
    'Nodes from LDAP': ldap,
    'What is measured and logged': telemetry,
    'The agent': agent,
  }
  const lines = [
    '# Settings',
    '',
    'In `puppet.conf` (`[main]`, and `[server]`, `[agent]`, `[user]` which win over it), or on the command line of any command as',
    '`--name value`, and `--name` or `--no-name` for flags. `$name` in a value is another setting. `plumb config print` shows',
    'what holds, `plumb config explain` what it means. A server that runs takes those with ↻ anew on `SIGHUP`; others want a restart.',
  ]
  for (const [title, definitions] of Object.entries(sections)) {
    lines.push('', `## ${title}`, '', '| setting | default | takes | what for |', '|---|---|---|---|')
    for (const [name, { kind, default: standard, ofServer, withStore, withSources, live, doc }] of Object.entries(
      definitions,
    )) {
      const value = standard === '' ? '' : `\`${standard}\``
      const other = [
        ofServer === undefined ? '' : `; for a server \`${ofServer}\``,
        withStore === undefined ? '' : `; with a store \`${withStore}\``,
        withSources === undefined ? '' : `; with code_sources \`${withSources}\``,
      ].join('')
      lines.push(`| \`${name}\`${live ? ' ↻' : ''} | ${value}${other} | ${kind.expects} | ${doc} |`)
    }
  }
  lines.push(
    '',
    '## Settings of Puppet without effect',
    '',
    'Plumbline accepts these settings, so that a puppet.conf of Puppet is valid.',
    '',
  )
  lines.push('| setting | why |', '|---|---|')
  for (const [name, { unused: reason }] of Object.entries(unused)) lines.push(`| \`${name}\` | ${reason} |`)
  return `${lines.join('\n')}\n`
}

/** Every built-in type: its attributes, features and providers. */
async function typesPage() {
  const code = (words) => words.map((word) => `\`${word}\``).join(', ')
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const attributeTable = (attributes) => [
    '',
    '| attribute | | takes | default | needs | |',
    '|---|---|---|---|---|---|',
    ...attributes.map(
      ({ name, role, doc, values, default: standard, needs }) =>
        `| \`${name}\` | ${role} | ${code(values)} | ${standard === undefined ? '' : code([standard || "''"])} | ${code(needs)} | ${cell(doc)} |`,
    ),
  ]
  const providerTable = (providers) => [
    '',
    '| provider | requires | default for | features | |',
    '|---|---|---|---|---|',
    ...providers.map(
      ({ name, doc, requires, defaultFor, features }) =>
        `| \`${name}\` | ${code(requires)} | ${defaultFor.map(cell).join('; ')} | ${features.join(' ')} | ${cell(doc)} |`,
    ),
  ]
  const lines = [
    '# Types',
    '',
    'The resource types that the agent manages without any Ruby, written from their declarations, `src/node/resources/types/`. A',
    '*property* is read from the machine and set there, a *parameter* says how, the *namevar* names the thing. An attribute that',
    '*needs* a feature is ignored where the provider has it not. `plumb describe TYPE` shows the same on a node.',
    '',
    '## Every type',
    ...attributeTable(metaparameterOutlines()),
  ]
  for (const { name, doc, attributes, features, providers } of await allOutlines()) {
    lines.push('', `## ${name}`, '', doc, ...attributeTable(attributes))
    if (providers.length > 0) lines.push(...providerTable(providers))
    if (features.length > 0)
      lines.push(
        '',
        '| feature | |',
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
    '`plumb <command> [options]`. Every command takes `--help`, `--debug`, `--verbose`, and any setting as an option. Exit status',
    '0 is success, 1 a failure, a command line that makes no sense among them; others are said at the command.',
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
